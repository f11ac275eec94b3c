"""Gates: rules that a run has to keep, alone or against a baseline.

A rule is about the mean of a measure, or about how much *better* the run is than the baseline: run
minus baseline where higher is better, baseline minus run where lower is better. So a negative
number always means worse. Where neither is better, it is run minus baseline.
"""
