"""The report: one self-contained HTML file with its charts drawn as SVG."""
