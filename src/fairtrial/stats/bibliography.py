"""The bibliography: one entry for each work that a procedure, a rule, a report or a page of the docs cites."""

from __future__ import annotations

from dataclasses import dataclass

DOI = "https://doi.org/"


@dataclass(frozen=True, slots=True)
class Reference:
    """A cited work: authors, year, journal or book, and its address (empty for books without one)."""

    authors: str
    year: int
    where: str
    url: str = ""
    citation: str = ""

    @property
    def text(self) -> str:
        """The full citation, as a report prints it; authors, year and place where no full citation is given."""
        return self.citation or (f"{self.authors} ({self.year}), {self.where}" if self.where else self.name)

    @property
    def name(self) -> str:
        """Authors and year of the work.

        >>> DEMSAR_2006.name
        'Demšar 2006'
        """
        return f"{self.authors} {self.year}"

    @property
    def short(self) -> str:
        """Authors, year, and the doi or else the journal: enough to find the work.

        >>> NADEAU_BENGIO_2003.short, DEMSAR_2006.short
        ('Nadeau & Bengio 2003, doi:10.1023/A:1024068626366', 'Demšar 2006, JMLR 7:1-30')
        """
        return f"{self.name}, {self.url.replace(DOI, 'doi:') if self.url.startswith(DOI) else self.where}"


AGARWAL_2021 = Reference(
    "Agarwal, Schwarzer, Castro, Courville & Bellemare",
    2021,
    "Deep Reinforcement Learning at the Edge of the Statistical Precipice, NeurIPS 34",
    "https://arxiv.org/abs/2108.13264",
)
ALGINA_KESELMAN_2003 = Reference("Algina & Keselman", 2003, "", DOI + "10.1177/0013164403256358")
ALPAYDIN_1999 = Reference(
    "Alpaydin",
    1999,
    "Neural Computation 11:1885-1892",
    DOI + "10.1162/089976699300016007",
    "Alpaydin, E. (1999). Combined 5 × 2 cv F test for comparing supervised classification learning algorithms. Neural "
    "Computation 11, 1885–1892.",
)
BATES_2023 = Reference("Bates, Hastie & Tibshirani", 2023, "JASA 119:1434-1445", DOI + "10.1080/01621459.2023.2197686")
BAYLE_2020 = Reference(
    "Bayle, Bayle, Janson & Mackey",
    2020,
    "Cross-validation confidence intervals for test error, NeurIPS 33",
    "https://arxiv.org/abs/2007.12671",
)
BENAVOLI_2014 = Reference("Benavoli et al.", 2014, "ICML, PMLR 32:1026-1034")
BENAVOLI_2016 = Reference(
    "Benavoli, Corani & Mangili",
    2016,
    "JMLR 17(5):1-10",
    "https://jmlr.org/papers/v17/benavoli16a.html",
    "Benavoli, A., Corani, G. & Mangili, F. (2016). Should we really use post-hoc tests based on mean-ranks"
    "? Journal of Machine Learning Research 17(5), 1–10.",
)
BENAVOLI_2017 = Reference(
    "Benavoli, Corani, Demšar & Zaffalon", 2017, "JMLR 18(77):1-36", "https://jmlr.org/papers/v18/16-305.html"
)
BENJAMINI_HELLER_2008 = Reference("Benjamini & Heller", 2008, "", DOI + "10.1111/j.1541-0420.2007.00984.x")
BENJAMINI_HOCHBERG_1995 = Reference(
    "Benjamini & Hochberg",
    1995,
    "",
    DOI + "10.1111/j.2517-6161.1995.tb02031.x",
    "Benjamini, Y. & Hochberg, Y. (1995). Controlling the false discovery rate: a practical and powerful approach to "
    "multiple testing. Journal of the Royal Statistical Society B 57, 289–300.",
)
BENJAMINI_YEKUTIELI_2001 = Reference(
    "Benjamini & Yekutieli",
    2001,
    "",
    DOI + "10.1214/aos/1013699998",
    "Benjamini, Y. & Yekutieli, D. (2001). The control of the false discovery rate in multiple testing "
    "under dependency. Annals of Statistics 29, 1165–1188.",
)
BERGMANN_HOMMEL_1988 = Reference("Bergmann & Hommel", 1988, "in Multiple Hypotheses Testing, Springer, 100-115")
BERG_KIRKPATRICK_2012 = Reference(
    "Berg-Kirkpatrick, Burkett & Klein",
    2012,
    "An empirical investigation of statistical significance in NLP, EMNLP 995-1005",
)
BONETT_PRICE_2012 = Reference(
    "Bonett & Price",
    2012,
    "Journal of Educational and Behavioral Statistics 37:479-488",
    DOI + "10.3102/1076998611411915",
)
BOUCKAERT_FRANK_2004 = Reference(
    "Bouckaert & Frank",
    2004,
    "",
    DOI + "10.1007/978-3-540-24775-3_3",
    "Bouckaert, R. R. & Frank, E. (2004). Evaluating the replicability of significance tests for "
    "comparing learning algorithms. PAKDD 2004, 3–12.",
)
BOX_HUNTER_1954 = Reference("Box & Hunter", 1954, "Biometrika 41:190-199", DOI + "10.1093/biomet/41.1-2.190")
BOX_WILSON_1951 = Reference("Box & Wilson", 1951, "", DOI + "10.1111/j.2517-6161.1951.tb00067.x")
BRADLEY_TERRY_1952 = Reference("Bradley & Terry", 1952, "Biometrika 39:324-345", DOI + "10.2307/2334029")
BRON_KERBOSCH_1973 = Reference("Bron & Kerbosch", 1973, "", DOI + "10.1145/362342.362367")
BROWN_2001 = Reference("Brown, Cai & DasGupta", 2001, "", DOI + "10.1214/ss/1009213286")
BURDICK_GRAYBILL_1992 = Reference("Burdick & Graybill", 1992, "Confidence Intervals on Variance Components")
CLIFF_1993 = Reference("Cliff", 1993, "", DOI + "10.1037/0033-2909.114.3.494")
CLOPPER_PEARSON_1934 = Reference(
    "Clopper & Pearson",
    1934,
    "",
    DOI + "10.1093/biomet/26.4.404",
    "Clopper, C. J. & Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in the case of the "
    "binomial. Biometrika 26(4), 404–413.",
)
COCHRAN_1950 = Reference("Cochran", 1950, "", DOI + "10.1093/biomet/37.3-4.256")
COCHRAN_1954 = Reference("Cochran", 1954, "Biometrics 10:101-129", DOI + "10.2307/3001666")
COHEN_1988 = Reference("Cohen", 1988, "Statistical Power Analysis for the Behavioral Sciences, 2nd edition")
CONNOR_1987 = Reference("Connor", 1987, "Biometrics 43:207-211")
CONOVER_1999 = Reference("Conover", 1999, "Practical Nonparametric Statistics")
CORANI_2017 = Reference(
    "Corani, Benavoli, Demšar, Mangili & Zaffalon",
    2017,
    "Machine Learning 106:1817-1837",
    DOI + "10.1007/s10994-017-5641-9",
)
CORANI_BENAVOLI_2015 = Reference(
    "Corani & Benavoli", 2015, "Machine Learning 100:285-304", DOI + "10.1007/s10994-015-5486-z"
)
DANIEL_1959 = Reference("Daniel", 1959, "Technometrics 1:311-341", DOI + "10.1080/00401706.1959.10489866")
DELONG_1988 = Reference(
    "DeLong, DeLong & Clarke-Pearson",
    1988,
    "",
    DOI + "10.2307/2531595",
    "DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated "
    "receiver operating characteristic curves: a nonparametric approach. Biometrics 44(3), 837–845.",
)
DEMSAR_2006 = Reference(
    "Demšar",
    2006,
    "JMLR 7:1-30",
    "https://jmlr.org/papers/v7/demsar06a.html",
    "Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of "
    "Machine Learning Research 7, 1–30.",
)
DERSIMONIAN_LAIRD_1986 = Reference(
    "DerSimonian & Laird", 1986, "Controlled Clinical Trials 7:177-188", DOI + "10.1016/0197-2456(86)90046-2"
)
DICICCIO_EFRON_1996 = Reference("DiCiccio & Efron", 1996, "", DOI + "10.1214/ss/1032280214")
DIETTERICH_1998 = Reference(
    "Dietterich",
    1998,
    "Neural Computation 10:1895-1923",
    DOI + "10.1162/089976698300017197",
    "Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification "
    "learning algorithms. Neural Computation 10, 1895–1923.",
)
DIXON_MOOD_1946 = Reference("Dixon & Mood", 1946, "", DOI + "10.1080/01621459.1946.10501898")
DROR_2017 = Reference("Dror, Baumer, Bogomolov & Reichart", 2017, "", DOI + "10.1162/tacl_a_00074")
DRAPER_1963 = Reference("Draper", 1963, "Technometrics 5:469-479", DOI + "10.1080/00401706.1963.10490138")
DUNNETT_1955 = Reference("Dunnett", 1955, "", DOI + "10.1080/01621459.1955.10501294")
DUNN_1961 = Reference("Dunn", 1961, "", DOI + "10.1080/01621459.1961.10482090")
DUNN_1964 = Reference("Dunn", 1964, "Technometrics 6:241-252", DOI + "10.1080/00401706.1964.10490181")
EDWARDS_HSU_1983 = Reference("Edwards & Hsu", 1983, "JASA 78:965-971", DOI + "10.1080/01621459.1983.10477047")
EFRON_1987 = Reference(
    "Efron",
    1987,
    "",
    DOI + "10.1080/01621459.1987.10478410",
    "Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical Association 82, "
    "171–185.",
)
EFRON_TIBSHIRANI_1993 = Reference("Efron & Tibshirani", 1993, "An Introduction to the Bootstrap")
EFRON_TIBSHIRANI_1997 = Reference(
    "Efron & Tibshirani",
    1997,
    "JASA 92:548-560 equation 17",
    DOI + "10.1080/01621459.1997.10474007",
    "Efron, B. & Tibshirani, R. (1997). Improvements on cross-validation: the .632+ bootstrap method. Journal of the "
    "American Statistical Association 92, 548–560.",
)
FAGERLAND_2013 = Reference("Fagerland, Lydersen & Laake", 2013, "", DOI + "10.1186/1471-2288-13-91")
FINNER_1993 = Reference("Finner", 1993, "JASA 88:920-923")
FISHER_1925 = Reference("Fisher", 1925, "Statistical Methods for Research Workers")
FISHER_1935 = Reference("Fisher", 1935, "The Design of Experiments")
FRIEDMAN_1937 = Reference(
    "Friedman",
    1937,
    "",
    DOI + "10.1080/01621459.1937.10503522",
    "Friedman, M. (1937). The use of ranks to avoid the assumption of normality implicit in the analysis "
    "of variance. Journal of the American Statistical Association 32, 675–701.",
)
GAIL_SIMON_1985 = Reference(
    "Gail & Simon",
    1985,
    "Biometrics 41:361-372",
    DOI + "10.2307/2530862",
    "Gail, M. & Simon, R. (1985). Testing for qualitative interactions between treatment effects and patient subsets. "
    "Biometrics 41, 361–372.",
)
GARCIA_2010 = Reference("García et al.", 2010, "", DOI + "10.1016/j.ins.2009.12.010")
GARCIA_HERRERA_2008 = Reference(
    "García & Herrera", 2008, "JMLR 9:2677-2694", "https://jmlr.org/papers/v9/garcia08a.html"
)
GELMAN_CARLIN_2014 = Reference(
    "Gelman & Carlin", 2014, "Perspectives on Psychological Science 9:641-651", DOI + "10.1177/1745691614551642"
)
GRABISCH_ROUBENS_1999 = Reference("Grabisch & Roubens", 1999, "", DOI + "10.1007/s001820050125")
GRAMM_2007 = Reference(
    "Gramm et al.",
    2007,
    "Computational Statistics & Data Analysis 52:725-736",
    DOI + "10.1016/j.csda.2006.09.035",
    "Gramm, J., Guo, J., Hüffner, F., Niedermeier, R., Piepho, H.-P. & Schmid, R. (2007). Algorithms for compact "
    "letter displays: comparison and evaluation. Computational Statistics & Data Analysis 52, 725–736.",
)
GREENHOUSE_GEISSER_1959 = Reference(
    "Greenhouse & Geisser",
    1959,
    "",
    DOI + "10.1007/BF02289823",
    "Greenhouse, S. W. & Geisser, S. (1959). On methods in the analysis of profile data. Psychometrika 24, 95–112.",
)
GUTMANN_MAYMIN_1987 = Reference("Gutmann & Maymin", 1987, "Annals of Statistics 15:456-461")
HARTIGAN_1969 = Reference("Hartigan", 1969, "", DOI + "10.1080/01621459.1969.10501057")
HAYTER_1984 = Reference("Hayter", 1984, "", DOI + "10.1214/aos/1176346392")
HEDGES_1981 = Reference("Hedges", 1981, "", DOI + "10.3102/10769986006002107")
HESTERBERG_2015 = Reference(
    "Hesterberg",
    2015,
    "The American Statistician 69:371-386",
    DOI + "10.1080/00031305.2015.1089789",
    "Hesterberg, T. C. (2015). What teachers should know about the bootstrap: resampling in the undergraduate "
    "statistics curriculum. The American Statistician 69(4), 371–386.",
)
HOCHBERG_1988 = Reference(
    "Hochberg",
    1988,
    "",
    DOI + "10.1093/biomet/75.4.800",
    "Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of significance. Biometrika 75, 800–802.",
)
HODGES_LEHMANN_1962 = Reference("Hodges & Lehmann", 1962, "", DOI + "10.1214/aoms/1177704575")
HODGES_LEHMANN_1963 = Reference(
    "Hodges & Lehmann",
    1963,
    "",
    DOI + "10.1214/aoms/1177704172",
    "Hodges, J. L. & Lehmann, E. L. (1963). Estimates of location based on rank tests. Annals of "
    "Mathematical Statistics 34, 598–611.",
)
HOLLAND_COPENHAVER_1987 = Reference("Holland & Copenhaver", 1987, "Biometrics 43:417-423")
HOLM_1979 = Reference(
    "Holm",
    1979,
    "Scandinavian Journal of Statistics 6:65-70",
    "https://www.jstor.org/stable/4615733",
    "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of "
    "Statistics 6, 65–70.",
)
HOMMEL_1988 = Reference("Hommel", 1988, "", DOI + "10.1093/biomet/75.2.383")
MEIJER_2019 = Reference("Meijer, Krebs & Goeman", 2019, "", DOI + "10.1002/bimj.201700316")
HOTELLING_1931 = Reference(
    "Hotelling",
    1931,
    "",
    DOI + "10.1214/aoms/1177732979",
    "Hotelling, H. (1931). The generalization of Student's ratio. Annals of Mathematical Statistics 2, 360–378.",
)
HSU_1984 = Reference(
    "Hsu",
    1984,
    "Annals of Statistics 12:1136-1144",
    DOI + "10.1214/aos/1176346732",
    "Hsu, J. C. (1984). Constrained simultaneous confidence intervals for multiple comparisons with the best. Annals "
    "of Statistics 12, 1136–1144.",
)
HUNG_FITHIAN_2019 = Reference(
    "Hung & Fithian",
    2019,
    "Annals of Statistics 47:758-782",
    DOI + "10.1214/17-AOS1634",
    "Hung, K. & Fithian, W. (2019). Rank verification for exponential families. Annals of Statistics 47, 758–782.",
)
HUNTER_2004 = Reference("Hunter", 2004, "Annals of Statistics 32:384-406", DOI + "10.1214/aos/1079120141")
HUYNH_FELDT_1976 = Reference("Huynh & Feldt", 1976, "", DOI + "10.3102/10769986001001069")
IMAN_DAVENPORT_1980 = Reference("Iman & Davenport", 1980, "", DOI + "10.1080/03610928008827904")
JOHNSON_WICHERN_2007 = Reference("Johnson & Wichern", 2007, "Applied Multivariate Statistical Analysis")
KENDALL_BABINGTON_SMITH_1939 = Reference("Kendall & Babington Smith", 1939, "", DOI + "10.1214/aoms/1177732186")
KERBY_2014 = Reference("Kerby", 2014, "", DOI + "10.2466/11.IT.3.1")
KING_2011 = Reference("King, Rosopa & Minium", 2011, "Statistical Reasoning in the Behavioral Sciences")
KRAMER_1956 = Reference("Kramer", 1956, "", DOI + "10.2307/3001469")
KRUSKAL_WALLIS_1952 = Reference("Kruskal & Wallis", 1952, "", DOI + "10.1080/01621459.1952.10483441")
LAKENS_2013 = Reference("Lakens", 2013, "", DOI + "10.3389/fpsyg.2013.00863")
LAUSEN_SCHUMACHER_1992 = Reference("Lausen & Schumacher", 1992, "Biometrics 48:73-85", DOI + "10.2307/2532740")
LEHMANN_1975 = Reference("Lehmann", 1975, "Nonparametrics")
LENTH_1989 = Reference("Lenth", 1989, "Technometrics 31:469-473", DOI + "10.1080/00401706.1989.10488595")
LI_2008 = Reference("Li", 2008, "Journal of Statistical Planning and Inference 138:1521-1527")
LUCE_1959 = Reference("Luce", 1959, "Individual Choice Behavior")
MANTEL_1967 = Reference("Mantel", 1967, "Cancer Research 27:209-220")
MAUCHLY_1940 = Reference("Mauchly", 1940, "", DOI + "10.1214/aoms/1177731915")
MCKEON_1974 = Reference("McKeon", 1974, "", DOI + "10.1093/biomet/61.2.381")
MCNEMAR_1947 = Reference(
    "McNemar",
    1947,
    "",
    DOI + "10.1007/BF02295996",
    "McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions or "
    "percentages. Psychometrika 12, 153–157.",
)
MEE_1984 = Reference("Mee", 1984, "Biometrics 40:1175-1176")
MIETTINEN_NURMINEN_1985 = Reference("Miettinen & Nurminen", 1985, "", DOI + "10.1002/sim.4780040211")
MOGSTAD_2024 = Reference(
    "Mogstad, Romano, Shaikh & Wilhelm", 2024, "Review of Economic Studies 91:476-518", DOI + "10.1093/restud/rdad006"
)
MONTGOMERY_2017 = Reference("Montgomery", 2017, "Design and Analysis of Experiments, 9th edition")
MOREY_2008 = Reference(
    "Morey", 2008, "Tutorials in Quantitative Methods for Psychology 4:61-64", DOI + "10.20982/tqmp.04.2.p061"
)
MORGAN_1939 = Reference("Morgan", 1939, "Biometrika 31:13-19", DOI + "10.1093/biomet/31.1-2.13")
NADEAU_BENGIO_2003 = Reference(
    "Nadeau & Bengio",
    2003,
    "Machine Learning 52:239-281",
    DOI + "10.1023/A:1024068626366",
    "Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239–281.",
)
NEMENYI_1963 = Reference("Nemenyi", 1963, "Distribution-free multiple comparisons, Princeton")
NEWCOMBE_1998 = Reference(
    "Newcombe", 1998, "", DOI + "10.1002/(SICI)1097-0258(19980430)17:8<857::AID-SIM777>3.0.CO;2-E"
)
NEWCOMBE_2006 = Reference("Newcombe", 2006, "Statistics in Medicine 25:559-573", DOI + "10.1002/sim.2324")
OLEJNIK_ALGINA_2003 = Reference("Olejnik & Algina", 2003, "", DOI + "10.1037/1082-989X.8.4.434")
OLSON_1976 = Reference("Olson", 1976, "", DOI + "10.1037/0033-2909.83.4.579")
PHIPSON_SMYTH_2010 = Reference("Phipson & Smyth", 2010, "", DOI + "10.2202/1544-6115.1585")
PIEPHO_2004 = Reference(
    "Piepho", 2004, "Journal of Computational and Graphical Statistics 13:456-466", DOI + "10.1198/1061860043515"
)
PILLAI_1955 = Reference(
    "Pillai",
    1955,
    "",
    DOI + "10.1214/aoms/1177728599",
    "Pillai, K. C. S. (1955). Some new test criteria in multivariate analysis. Annals of Mathematical Statistics 26, "
    "117–121.",
)
PITMAN_1939 = Reference("Pitman", 1939, "Biometrika 31:9-12", DOI + "10.1093/biomet/31.1-2.9")
PLACKETT_1975 = Reference("Plackett", 1975, "Applied Statistics 24:193-202", DOI + "10.2307/2346567")
PRATT_1959 = Reference("Pratt", 1959, "", DOI + "10.1080/01621459.1959.10501526")
QIN_HOTILOVAC_2008 = Reference("Qin & Hotilovac", 2008, "Statistical Methods in Medical Research 17:207-221")
QUADE_1979 = Reference("Quade", 1979, "", DOI + "10.1080/01621459.1979.10481670")
ROM_1990 = Reference("Rom", 1990, "", DOI + "10.1093/biomet/77.3.663")
ROMANO_WOLF_2005 = Reference(
    "Romano & Wolf",
    2005,
    "JASA 100:94-108",
    DOI + "10.1198/016214504000000539",
    "Romano, J. P. & Wolf, M. (2005). Exact and approximate stepdown methods for multiple hypothesis testing. Journal "
    "of the American Statistical Association 100, 94–108.",
)
ROSNER_1983 = Reference("Rosner", 1983, "Technometrics 25:165-172", DOI + "10.1080/00401706.1983.10487848")
SCHUIRMANN_1987 = Reference(
    "Schuirmann", 1987, "Journal of Pharmacokinetics and Biopharmaceutics 15:657-680", DOI + "10.1007/BF01068419"
)
SEARLE_1992 = Reference("Searle, Casella & McCulloch", 1992, "Variance Components")
SHAFFER_1986 = Reference("Shaffer", 1986, "", DOI + "10.1080/01621459.1986.10478341")
SHAPIRO_WILK_1965 = Reference("Shapiro & Wilk", 1965, "Biometrika 52:591-611", DOI + "10.1093/biomet/52.3-4.591")
SHAPLEY_1953 = Reference("Shapley", 1953, "A value for n-person games", DOI + "10.1515/9781400881970-018")
STEFANSSON_KIM_HSU_1988 = Reference(
    "Stefansson, Kim & Hsu", 1988, "On confidence sets in multiple comparisons, Statistical Decision Theory IV 2:89-104"
)
STEIGER_2004 = Reference("Steiger", 2004, "", DOI + "10.1037/1082-989X.9.2.164")
STERNE_1954 = Reference("Sterne", 1954, "Biometrika 41:275-278", DOI + "10.1093/biomet/41.1-2.275")
STUDENT_1908 = Reference(
    "Student",
    1908,
    "Biometrika 6:1-25",
    DOI + "10.1093/biomet/6.1.1",
    "Student (1908). The probable error of a mean. Biometrika 6, 1–25.",
)
SUN_XU_2014 = Reference("Sun & Xu", 2014, "", DOI + "10.1109/LSP.2014.2337313")
TANGO_1998 = Reference(
    "Tango",
    1998,
    "Statistics in Medicine 17:891-908",
    DOI + "10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B",
)
TUKEY_1953 = Reference("Tukey", 1953, "The problem of multiple comparisons")
VARGHA_DELANEY_2000 = Reference("Vargha & Delaney", 2000, "", DOI + "10.3102/10769986025002101")
WELCH_1947 = Reference("Welch", 1947, "", DOI + "10.1093/biomet/34.1-2.28")
WELLEK_2010 = Reference("Wellek", 2010, "Testing Statistical Hypotheses of Equivalence and Noninferiority, 2nd edition")
WILCOXON_1945 = Reference(
    "Wilcoxon",
    1945,
    "",
    DOI + "10.2307/3001968",
    "Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1(6), 80–83.",
)
WILKS_1932 = Reference("Wilks", 1932, "", DOI + "10.1093/biomet/24.3-4.471")
WILKS_1941 = Reference("Wilks", 1941, "Annals of Mathematical Statistics 12:91-96", DOI + "10.1214/aoms/1177731788")
WILSON_1927 = Reference(
    "Wilson",
    1927,
    "",
    DOI + "10.1080/01621459.1927.10502953",
    "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the "
    "American Statistical Association 22, 209–212.",
)
YEH_2000 = Reference("Yeh", 2000, "COLING 947-953", DOI + "10.3115/992730.992783")
YE_HAMADA_2000 = Reference(
    "Ye & Hamada", 2000, "Critical values of the Lenth method, Journal of Quality Technology 32:57-66"
)
