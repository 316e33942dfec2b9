"""The request to a reader of results from elsewhere; each reader uses the parts that concern it.

The dependence of scores from elsewhere, as the caller declares it, checked against their number.

Names by which a table shows what its rows and columns are: data sets and methods that many papers have.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Union

from fairtrial.choices import ROWS, Rows
from fairtrial.errors import InputError
from fairtrial.measures import get
from fairtrial.resampling import Dependence, parse
from fairtrial.words import is_one_of

if TYPE_CHECKING:
    import pandas as pd


Source: TypeAlias = Union[str, Path, "pd.DataFrame"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of a reader: names of columns with unusual titles, and facts about the scores or predictions.

    ``higher_is_better``, ``value``, ``sign``, ``rows`` and ``covariates`` are only for
    :func:`~fairtrial.results.read_scores`; ``truth``, ``instance``, ``cluster`` and ``positive`` only for
    :func:`~fairtrial.results.read_predictions`.
    """

    measure: str | None = None
    resampling: str | None = None
    dataset: str | None = None
    method: str | None = None
    repeat: str | None = None
    fold: str | None = None
    higher_is_better: bool | None = None
    value: str | None = None
    sign: str | None = None
    methods: Sequence[str] | None = None
    rows: Rows | None = None
    covariates: Sequence[str] | None = None
    truth: str | None = None
    instance: str | None = None
    cluster: str | None = None
    positive: object = None

    def __post_init__(self) -> None:
        if self.rows is not None and not is_one_of(self.rows, ROWS):
            raise InputError(f"rows must be 'datasets' or 'methods', or be left out, got {self.rows!r}")

        if self.methods is None:
            return
        object.__setattr__(self, "methods", self.methods if isinstance(self.methods, str) else list(self.methods))
        if isinstance(self.methods, str) or not self.methods:
            raise InputError(f"methods must be a list of names such as ['svm', 'knn'], got {self.methods!r}")

    def given(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def task(self) -> str | None:
        """The task, classes or values, where the measure says which."""
        return None if self.measure is None else get(self.measure).task


def declared_dependence(resampling: str, dataset: str, places: int, what: str, remedy: str = "") -> Dependence:
    """The dependence of a declared resampling; refused where the number of ``places`` of a data set does not fit.

    >>> declared_dependence("2x5-fold", "iris", 10, "scores").repeats
    2
    """
    declared = parse(resampling).dependence().counted(places)
    wanted = declared.repeats * declared.folds
    if wanted and places != wanted:
        raise InputError(f"resampling={resampling!r} means {wanted} {what}, but {dataset!r} has {places}{remedy}")
    return declared


def words_in(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


DATASETS = words_in("""
abalone adult ag agnews airlines albert aloi amazon anneal arc arcene arrhythmia audiology australian autos balance
balancescale bank banknote bbh blood boolq boston breast breastcancer breastw bridges bupa california caltech car
celeba census chess churn cifar cifar10 cifar100 cmc cnae cola colic commonsenseqa concrete connect4 covertype
covtype cpu credit crx cylinder dbpedia dermatology dexter diabetes diamonds digits dna domainnet dorothea drop dry
eeg ecoli electricity elevators energy etth1 etth2 ettm1 ettm2 fashion fashionmnist flags fmnist gas german gisette
glass gpqa gsm8k haberman har hayesroth heart helena hellaswag hepatitis higgs hiva horse house housing humaneval
humanevalplus hypothyroid ifeval imagenet imdb ionosphere iris jannis jungle kc1 kddcup kin8nm krvskp labor lambada
led7 led24 lenses letter liver livecodebench lung lymph lymphography madelon magic math mbpp mbppplus mmlu mnist
mnli monk monks mrpc mt musr mushroom naturalquestions naval nomao nursery officehome openbookqa optdigits ozone
pacs pageblocks pc1 pc4 pendigits phoneme pima piqa poker postoperative primarytumor promoters protein qnli qqp qsar
race rte satellite satimage segment segmentation shuttle sick siqa sonar soybean spam spambase spect spectf splice
squad sst sst2 steel stl10 stsb svhn swag swebench tae terra thyroid tictactoe titanic traffic trec triviaqa
truthfulqa twonorm ringnorm vehicle vlcs volkert vote votes voting vowel waveform wdbc weather wilt wine winequality
winogrande wnli wpbc yacht yeast yelp zoo
""")
HOLTE = words_in("BC CH G2 GL HD HE HO HY IR LA LY MU SE SO V1 VI VO")
METHODS = words_in("""
1nn 1r 3nn 5nn adaboost arima autogluon autosklearn bagged bagging baseline bayes bayesian bayesnet bert boost
boosting c4 c45 c5 c50 cart catboost chronos classificationtree claude cnn ddpg deberta decisiontree deepar deepseek
densenet dnn dqn dt dtw dummy efficientnet elasticnet ensemble ets extratrees falcon flaml forest fttransformer gam
gaussian gaussiannb gbdt gbm gbrt gemini gemma glm gp gpt gru h2o hgb hivecote ib1 ibk id3 inceptiontime j48 jrip
kneighbors knn lasso lda lgbm lightgbm linearregression linearsvc linearsvm llama logistic logit logreg lr lstm
majority marcoroni minirocket mistral mixtral mlp naivebayes nb nearestcentroid nearestneighbor nearestneighbors
nearestneighbour nearestneighbours neuralnet neuralnetwork nn ols oner ours perceptron ppo prophet proposed qda qwen
randomforest realmlp regressiontree resnet rf ridge ripper rnn roberta rocket sac sgd smo stacking stump svc svm svr
t5 tabm tabnet tabpfn td3 tpot transformer unet vgg vit weasel xgb xgboost xlnet zeror
""")
A_DATASET = re.compile(r"(d|ds|data|dataset|data set|task|problem|domain|benchmark|bench|set)[ _.-]?[0-9]+")
A_METHOD = re.compile(
    r"(m|model|method|alg|algo|algorithm|clf|classifier|learner|system|approach)[ _.-]?([0-9]+|[a-z])"
)
Kind = Literal["data set", "method", ""]


def words_of(text: str) -> list[str]:
    """The words of a name in lower case, without what separates them.

    >>> words_of("Mean_Accuracy (%)"), words_of("C4.5 std")
    (['mean', 'accuracy'], ['c4', '5', 'std'])
    """
    return [word for word in re.split(r"[\W_]+", text.lower()) if word]


def plain_name(text: str) -> str:
    """A name in one spelling: composed characters, no case, single spaces.

    >>> plain_name(" Iris  plants") == plain_name("iris plants")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@lru_cache(maxsize=10_000)
def kind_of_name(name: str) -> Kind:
    """What a name is known for: a data set, a method, or nothing.

    >>> [kind_of_name(n) for n in ("Breast Cancer (W)", "C4.5", "ARC(25-shot)", "svm-rbf", "d12", "IR", "alpha")]
    ['data set', 'method', 'data set', 'method', 'data set', 'data set', '']
    """
    plain = plain_name(name)
    if name in HOLTE or A_DATASET.fullmatch(plain):
        return "data set"
    if A_METHOD.fullmatch(plain):
        return "method"
    words = words_of(re.sub(r"\.(csv|arff|data)$|\(.*", "", plain))
    if not words:
        return ""
    starts = {"".join(words[:n]) for n in (1, 2, len(words))} | {words[0].rstrip("0123456789")}
    if "".join(words) in METHODS or (starts & METHODS and not starts & DATASETS):
        return "method"
    if starts & DATASETS:
        return "data set"
    return "method" if METHODS & set(words) else ""


def leaning(names: Iterable[str]) -> float:
    """How much names look like data sets (positive) or like methods (negative): 4 where at least half are known.

    >>> leaning(["iris", "wine"]), leaning(["svm", "ours", "x"]), leaning(["alpha", "beta"])
    (4.0, -4.0, 0.0)
    """
    kinds = [kind_of_name(name) for name in names]
    more = kinds.count("data set") - kinds.count("method")
    return (1 if more > 0 else -1) * (4.0 if abs(more) * 2 >= len(kinds) else 2.0) if more else 0.0


def one_spelling(names: pd.Series) -> tuple[pd.Series, list[tuple[str, ...]]]:
    """Names of which those that differ only in case, spaces or Unicode form are one, and the spellings that are joined.

    >>> import pandas as pd
    >>> made, joined = one_spelling(pd.Series(["Iris", "wine", "iris"]))
    >>> made.tolist(), joined
    (['Iris', 'wine', 'Iris'], [('Iris', 'iris')])
    """
    groups: dict[str, list[str]] = {}
    for name in names.unique():
        groups.setdefault(plain_name(str(name)), []).append(name)
    joined = [tuple(map(str, group)) for group in groups.values() if len(group) > 1]
    if not joined:
        return names, []
    first = {name: group[0] for group in joined for name in group[1:]}
    return names.map(lambda name: first.get(name, name)), joined
