"""The economical learner: link classes, a saturating reward, and one online pass over an unknown site."""
