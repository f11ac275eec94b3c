"""Document scores from sets of characters: what was returned against what is relevant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.measures.base import DocumentScore, ListScore
from spanwise.measures.parameters import Above, parameter
from spanwise.measures.registry import list_score, measure
from spanwise.measures.views.pages import Pages
from spanwise.text.ranges import Floats, share

KAMPS = "Kamps et al., Evaluating Relevant in Context, 2007"


def f_score(precision: Floats, recall: Floats, beta: float) -> Floats:
    r"""The weighted harmonic mean, 0 where both are 0.

    $$F_\beta = \frac{(1+\beta^2)\,P\,R}{\beta^2 P + R}$$
    """
    square = beta * beta
    below = square * precision + recall
    result = np.zeros(len(precision))
    np.divide((1 + square) * precision * recall, below, out=result, where=below > 0)
    return result


@measure(source=KAMPS, equation="taxonomy eq. 1", perfect=1.0)
@dataclass(frozen=True)
class P(DocumentScore):
    r"""Precision: the share of the returned text that is relevant.

    $$P(d) = \frac{|rel(d) \cap ret(d)|}{|ret(d)|}$$

    where rel(d) is the relevant text and ret(d) the returned text of document d; 0 if nothing was
    returned. With a cut-off, ``P@10``, the measure of whole documents.

    Source: Kamps et al., Evaluating Relevant in Context, 2007; Pehcevski et al., taxonomy, eq. 1.

    >>> str(P()), str(P @ 10)
    ('P', 'P@10')
    """

    def score(self, pages: Pages) -> Floats:
        return share(pages.common_size, pages.returned_size)

    def __matmul__(self, cutoff: float) -> ListScore:
        return _plain("P", cutoff)


@measure(source=KAMPS, equation="taxonomy eq. 2", perfect=1.0)
@dataclass(frozen=True)
class R(DocumentScore):
    r"""Recall: the share of the relevant text that was returned.

    $$R(d) = \frac{|rel(d) \cap ret(d)|}{|rel(d)|}$$

    where rel(d) is the relevant text and ret(d) the returned text of document d. With a cut-off,
    ``R@10``, the measure of whole documents.

    Source: Kamps et al., Evaluating Relevant in Context, 2007; Pehcevski et al., taxonomy, eq. 2.

    >>> str(R()), str(R @ 100)
    ('R', 'R@100')
    """

    def score(self, pages: Pages) -> Floats:
        return share(pages.common_size, pages.relevant_size)

    def __matmul__(self, cutoff: float) -> ListScore:
        return _plain("R", cutoff)


def _plain(name: str, cutoff: float) -> ListScore:
    """The measure of whole documents that shares its name with a document score."""
    plain = list_score(name)
    assert plain is not None, "both are defined in this package"
    return plain() @ cutoff


@measure(source=KAMPS, equation="taxonomy eq. 3", perfect=1.0)
@dataclass(frozen=True)
class F(DocumentScore):
    r"""The weighted harmonic mean of precision and recall.

    $$F_\beta(d) = \frac{(1+\beta^2)\,P(d)\,R(d)}{\beta^2 P(d) + R(d)}$$

    where P and R are precision and recall of the document's text and β weights recall: 1 is even,
    0.25 the precision-heavy value of INEX 2008 to 2010.

    Source: Kamps et al., Evaluating Relevant in Context, 2007; Pehcevski et al., taxonomy, eq. 3.

    >>> str(F()), str(F(beta=0.25))
    ('F(beta=1)', 'F(beta=0.25)')
    """

    beta: float = parameter(1.0, Above(0), examples=(1, 0.25, 0.5, 2))

    def score(self, pages: Pages) -> Floats:
        precision = share(pages.common_size, pages.returned_size)
        recall = share(pages.common_size, pages.relevant_size)
        return f_score(precision, recall, self.beta)


@measure(source="our choice", equation="intersection over union", perfect=1.0)
@dataclass(frozen=True)
class IoU(DocumentScore):
    r"""Intersection over union (Jaccard) of returned and relevant text.

    $$IoU(d) = \frac{|rel(d) \cap ret(d)|}{|rel(d) \cup ret(d)|}$$

    where rel(d) is the relevant text and ret(d) the returned text of document d.

    Source: our choice, for comparison with span detection; F(beta=1) = 2·IoU/(1+IoU).

    >>> str(IoU())
    'IoU'
    """

    literal = False

    def score(self, pages: Pages) -> Floats:
        common = pages.common_size
        return share(common, pages.returned_size + pages.relevant_size - common)


@measure(source="Pehcevski et al., taxonomy", equation="binary relevance", perfect=1.0)
@dataclass(frozen=True)
class rel(DocumentScore):
    r"""Is the document relevant at all? 1 or 0, whatever was returned of it.

    $$rel(d) = [\,NRC(d) > 0\,]$$

    where NRC(d) is the number of relevant characters of document d. Lists over it are the plain
    document measures: ``AgP(rel)`` = ``AP``.

    Source: Pehcevski et al., taxonomy.

    >>> str(rel())
    'rel'
    """

    def score(self, pages: Pages) -> Floats:
        return np.ones(len(pages))
