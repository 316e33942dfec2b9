"""Names of the rows of published tables of results, with which of them are of one source: evidence for a detector.

`LISTS`: names exactly as published (the few made lists say so), the sets that are truly of one source, and the sets
where reasonable people would differ (which may reach over families, or lie within none). What is neither is unrelated,
whatever its names share. The truth was looked up or remembered without looking at any detector.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class BenchmarkList:
    """The names of one table's rows, and which of them are of one source."""

    names: tuple[str, ...]
    families: tuple[tuple[str, ...], ...]
    uncertain: tuple[tuple[str, ...], ...]
    source: str


def _split(text: str) -> tuple[str, ...]:
    """Names between semicolons, if there are any, else between blanks."""
    return tuple(" ".join(name.split()) for name in (text.split(";") if ";" in text else text.split()))


def _sets(names: tuple[str, ...], text: str, semicolons: bool) -> tuple[tuple[str, ...], ...]:
    """Sets between bars; in each a name, or a pattern (`ant-*`) for all names that match."""
    found = []
    for part in filter(str.strip, text.split("|")):
        wanted = _split(part.strip() + ";" * semicolons)
        taken = [name for name in names if any(name == one or fnmatchcase(name, one) for one in wanted)]
        lost = [one for one in filter(None, wanted) if not any(name == one or fnmatchcase(name, one) for name in names)]
        found.append((*taken, *lost))  # what matches nothing stays, for the test to find
    return tuple(found)


def _list(names: str, families: str = "", uncertain: str = "", *, source: str) -> BenchmarkList:
    split = _split(names)
    spaced = ";" in names
    return BenchmarkList(split, _sets(split, families, spaced), _sets(split, uncertain, spaced), source)


LISTS: dict[str, BenchmarkList] = {
    "ucr_rist": _list(
        """
            Adiac ArrowHead Beef BeetleFly BirdChicken Car CBF ChlorineConcentration CinCECGTorso Coffee Computers
            CricketX CricketY CricketZ DiatomSizeReduction DistalPhalanxOutlineAgeGroup DistalPhalanxOutlineCorrect
            DistalPhalanxTW Earthquakes ECG200 ECG5000 ECGFiveDays ElectricDevices FaceAll FaceFour FacesUCR FiftyWords
            Fish FordA FordB GunPoint Ham HandOutlines Haptics Herring InlineSkate InsectWingbeatSound ItalyPowerDemand
            LargeKitchenAppliances Lightning2 Lightning7 Mallat Meat MedicalImages MiddlePhalanxOutlineAgeGroup
            MiddlePhalanxOutlineCorrect MiddlePhalanxTW MoteStrain NonInvasiveFetalECGThorax1 NonInvasiveFetalECGThorax2
            OliveOil OSULeaf PhalangesOutlinesCorrect Phoneme Plane ProximalPhalanxOutlineAgeGroup
            ProximalPhalanxOutlineCorrect ProximalPhalanxTW RefrigerationDevices ScreenType ShapeletSim ShapesAll
            SmallKitchenAppliances SonyAIBORobotSurface1 SonyAIBORobotSurface2 Strawberry StarLightCurves SwedishLeaf
            Symbols SyntheticControl ToeSegmentation1 ToeSegmentation2 Trace TwoLeadECG TwoPatterns
            UWaveGestureLibraryAll UWaveGestureLibraryX UWaveGestureLibraryY UWaveGestureLibraryZ Wafer Wine
            WordSynonyms Worms WormsTwoClass Yoga ACSF1 BME EthanolLevel FreezerRegularTrain FreezerSmallTrain
            GunPointAgeSpan GunPointMaleVersusFemale GunPointOldVersusYoung InsectEPGRegularTrain InsectEPGSmallTrain
            PigAirwayPressure PigArtPressure PigCVP PowerCons SmoothSubspace UMD HouseTwenty SemgHandGenderCh2
            SemgHandMovementCh2 SemgHandSubjectCh2 MixedShapesRegularTrain MixedShapesSmallTrain EOGHorizontalSignal
            EOGVerticalSignal Rock Crop Chinatown
        """,
        families="""
            CricketX CricketY CricketZ | UWaveGestureLibrary* | NonInvasiveFetalECGThorax* | SonyAIBORobotSurface* |
            ToeSegmentation* | Lightning2 Lightning7 | FaceAll FacesUCR | FordA FordB | *Phalanx* Phalanges* | Worms
            WormsTwoClass | FiftyWords WordSynonyms | GunPointAgeSpan GunPointMaleVersusFemale GunPointOldVersusYoung |
            InsectEPG* | Freezer* | MixedShapes* | Pig* | SemgHand* | EOG*
        """,
        uncertain="""
            FaceAll FaceFour FacesUCR | GunPoint* | HandOutlines *Phalanx* Phalanges* | Computers ElectricDevices
            LargeKitchenAppliances RefrigerationDevices ScreenType SmallKitchenAppliances | BeetleFly BirdChicken
            ShapesAll | BME UMD | HouseTwenty Freezer* | Adiac DiatomSizeReduction
        """,
        source="leaderboards/tsml_rist2023_classification; families: the archive's descriptions",
    ),
    "demsar_2006": _list(
        """
            adult (sample); breast cancer; breast cancer wisconsin; cmc; ionosphere; iris; liver disorders; lung cancer;
            lymphography; mushroom; primary tumor; rheum; voting; wine
        """,
        source="Demšar 2006, table 6",
    ),
    "gift_eval": _list(
        """
            bitbrains_fast_storage/5T/long bitbrains_fast_storage/5T/medium bitbrains_fast_storage/5T/short
            bitbrains_fast_storage/H/short bitbrains_rnd/5T/long bitbrains_rnd/5T/medium bitbrains_rnd/5T/short
            bitbrains_rnd/H/short bizitobs_application/10S/long bizitobs_application/10S/medium
            bizitobs_application/10S/short bizitobs_l2c/5T/long bizitobs_l2c/5T/medium bizitobs_l2c/5T/short
            bizitobs_l2c/H/long bizitobs_l2c/H/medium bizitobs_l2c/H/short bizitobs_service/10S/long
            bizitobs_service/10S/medium bizitobs_service/10S/short car_parts/M/short covid_deaths/D/short
            electricity/15T/long electricity/15T/medium electricity/15T/short electricity/D/short electricity/H/long
            electricity/H/medium electricity/H/short electricity/W/short ett1/15T/long ett1/15T/medium ett1/15T/short
            ett1/D/short ett1/H/long ett1/H/medium ett1/H/short ett1/W/short ett2/15T/long ett2/15T/medium
            ett2/15T/short ett2/D/short ett2/H/long ett2/H/medium ett2/H/short ett2/W/short hierarchical_sales/D/short
            hierarchical_sales/W/short hospital/M/short jena_weather/10T/long jena_weather/10T/medium
            jena_weather/10T/short jena_weather/D/short jena_weather/H/long jena_weather/H/medium jena_weather/H/short
            kdd_cup_2018/D/short kdd_cup_2018/H/long kdd_cup_2018/H/medium kdd_cup_2018/H/short loop_seattle/5T/long
            loop_seattle/5T/medium loop_seattle/5T/short loop_seattle/D/short loop_seattle/H/long loop_seattle/H/medium
            loop_seattle/H/short m4_daily/D/short m4_hourly/H/short m4_monthly/M/short m4_quarterly/Q/short
            m4_weekly/W/short m4_yearly/A/short m_dense/D/short m_dense/H/long m_dense/H/medium m_dense/H/short
            restaurant/D/short saugeen/D/short saugeen/M/short saugeen/W/short solar/10T/long solar/10T/medium
            solar/10T/short solar/D/short solar/H/long solar/H/medium solar/H/short solar/W/short sz_taxi/15T/long
            sz_taxi/15T/medium sz_taxi/15T/short sz_taxi/H/short temperature_rain/D/short us_births/D/short
            us_births/M/short us_births/W/short
        """,
        families="""
            bitbrains_fast_storage/* | bitbrains_rnd/* | bizitobs_application/* | bizitobs_l2c/* | bizitobs_service/* |
            electricity/* | ett1/* | ett2/* | hierarchical_sales/* | jena_weather/* | kdd_cup_2018/* | loop_seattle/* |
            m_dense/* | saugeen/* | solar/* | sz_taxi/* | us_births/*
        """,
        uncertain="bitbrains_* | bizitobs_* | ett?/* | m4_*",
        source="GIFT-Eval, the 97 rows of its official results",
    ),
    "garcia_herrera_2008": _list(
        """
            Abalone* Adult* Australian Autos Balance Breast Bupa Cleveland Dermatology German Glass Hayes-Roth Heart
            Led7Digit Letter* Lymphography Mushrooms* OptDigits* Satimage* SpamBase* Splice* Tic-tac-toe Vehicle Vowel
            Wine Yeast Zoo Car Crx Ion
        """,
        uncertain="Cleveland Heart | Australian Crx",
        source="García and Herrera 2008 (stars as printed)",
    ),
    "keel_imbalanced": _list(
        """
            ecoli-0_vs_1 ecoli1 ecoli2 ecoli3 glass0 glass1 glass6 haberman iris0 new-thyroid1 newthyroid2 page-blocks0
            pima segment0 vehicle0 vehicle1 vehicle2 vehicle3 wisconsin yeast1 yeast3 yeast5 yeast-2_vs_8 yeast4 ecoli4
            abalone9-18 glass2 glass4 yeast-1-2-8-9_vs_7 abalone19 yeast-1-4-5-8_vs_7 vowel0 yeast6 glass-0-1-6_vs_2
            page-blocks-1-3_vs_4 shuttle-c0-vs-c4 yeast-2_vs_4 yeast-1_vs_7 shuttle-c2-vs-c4 glass-0-1-6_vs_5
            yeast-0-5-6-7-9_vs_4 ecoli-0-1-3-7_vs_2-6 glass5 ecoli-0-6-7_vs_5 ecoli-0-2-3-4_vs_5 ecoli-0-6-7_vs_3-5
            ecoli-0-2-6-7_vs_3-5 yeast-0-2-5-6_vs_3-7-8-9 ecoli-0-1-4-7_vs_5-6 glass-0-1-4-6_vs_2 ecoli-0-1_vs_5
            glass-0-4_vs_5 cleveland-0_vs_4 ecoli-0-3-4-6_vs_5 yeast-0-3-5-9_vs_7-8 ecoli-0-4-6_vs_5
            yeast-0-2-5-7-9_vs_3-6-8 ecoli-0-3-4_vs_5 ecoli-0-1_vs_2-3-5 glass-0-1-5_vs_2 ecoli-0-1-4-7_vs_2-3-5-6
            glass-0-6_vs_5 ecoli-0-1-4-6_vs_5 led7digit-0-2-4-5-6-7-8-9_vs_1 ecoli-0-3-4-7_vs_5-6
        """,
        families="""
            ecoli* | glass* | yeast* | vehicle* | new-thyroid1 newthyroid2 | page-blocks* | abalone* | shuttle-*
        """,
        source="KEEL, imbalanced data sets, parts 1 to 3",
    ),
    "amlb_2019": _list(
        """
            australian blood-transfusion car christine cnae-9 credit-g dilbert fabert jasmine kc1 kr-vs-kp mfeat-factors
            phoneme segment sylvine vehicle adult amazon_employee_access apsfailure bank-marketing connect-4
            fashion-mnist guiellermo helena higgs jannis jungle_chess_2pcs_raw_endgame_complete kddcup09_appetency
            miniboone nomao numerai28.6 riccardo robert shuttle volkert airlines albert covertype dionis
        """,
        source="leaderboards/amlb2019_4h",
    ),
    "promise": _list(
        """
            ant-1.3 ant-1.4 ant-1.5 ant-1.6 ant-1.7 camel-1.0 camel-1.2 camel-1.4 camel-1.6 ivy-1.1 ivy-1.4 ivy-2.0
            jedit-3.2 jedit-4.0 jedit-4.1 jedit-4.2 jedit-4.3 log4j-1.0 log4j-1.1 log4j-1.2 lucene-2.0 lucene-2.2
            lucene-2.4 poi-1.5 poi-2.0 poi-2.5 poi-3.0 synapse-1.0 synapse-1.1 synapse-1.2 tomcat-6.0 velocity-1.4
            velocity-1.5 velocity-1.6 xalan-2.4 xalan-2.5 xalan-2.6 xalan-2.7 xerces-1.2 xerces-1.3 xerces-1.4
            xerces-init
        """,
        families="""
            ant-* | camel-* | ivy-* | jedit-* | log4j-* | lucene-* | poi-* | synapse-* | velocity-* | xalan-* | xerces-*
        """,
        source="PROMISE, Jureczko and Madeyski's defect data",
    ),
    "tabarena": _list(
        """
            APSFailure Amazon_employee_access Another-Dataset-on-used-Fiat-500 Bank_Customer_Churn Bioresponse
            Diabetes130US E-CommereShippingData Fitness_Club Food_Delivery_Time GiveMeSomeCredit
            HR_Analytics_Job_Change_of_Data_Scientists Is-this-a-good-customer MIC Marketing_Campaign NATICUSdroid
            QSAR-TID-11 QSAR_fish_toxicity SDSS17 airfoil_self_noise anneal bank-marketing
            blood-transfusion-service-center churn coil2000_insurance_policies concrete_compressive_strength credit-g
            credit_card_clients_default customer_satisfaction_in_airline diabetes diamonds
            hazelnut-spread-contaminant-detection healthcare_insurance_expenses heloc hiva_agnostic houses
            in_vehicle_coupon_recommendation jm1 kddcup09_appetency maternal_health_risk miami_housing
            online_shoppers_intention physiochemical_protein polish_companies_bankruptcy qsar-biodeg seismic-bumps
            splice students_dropout_and_academic_success superconductivity taiwanese_bankruptcy_prediction
            website_phishing wine_quality
        """,
        source="leaderboards/tabarena_lite",
    ),
    "wainer": _list(
        """
            analcatdata_authorship analcatdata_boxing1 analcatdata_boxing2 analcatdata_creditscore analcatdata_dmft
            analcatdata_germangss analcatdata_lawsuit appendicitis australian auto backache balance_scale biomed breast
            breast_cancer breast_cancer_wisconsin breast_w buggyCrx bupa calendarDOW cars clean1 cleve cleveland
            cleveland_nominal cloud colic collins corral credit_a credit_g crx dermatology diabetes ecoli flags flare
            german glass glass2 haberman hayes_roth heart_c heart_h heart_statlog hepatitis horse_colic house_votes_84
            hungarian ionosphere iris irish lymphography molecular_b...y_promoters monk1 monk2 monk3 movement_libras
            mux6 new_thyroid pima prnn_crabs prnn_fglass prnn_synth profb saheart schizo solar_flare_1 solar_flare_2
            sonar soybean spect spectf tae threeOf9 tic_tac_toe tokyo1 vehicle vote wdbc wine_recognition xd6
            GAMETES_Epi....1H_EDM_1_1 GAMETES_Epi....4H_EDM_1_1 GAMETES_Epi....2H_EDM_1_1 GAMETES_Het...0_EDM_2_001
            GAMETES_Het...5_EDM_2_001 Hill_Valley_with_noise Hill_Valley_without_noise agaricus_lepiota allbp allhyper
            allhypo allrep ann_thyroid car car_evaluation chess churn cmc contraceptive dis hypothyroid kr_vs_kp led24
            led7 mfeat_factors mfeat_fourier mfeat_karhunen mfeat_morphological mfeat_pixel mfeat_zernike mofn_3_7_10
            mushroom nursery optdigits page_blocks parity5+5 pendigits phoneme ring satimage segmentation shuttle splice
            texture twonorm vowel waveform_21 waveform_40 wine_quality_red yeast
        """,
        families="""
            monk1 monk2 monk3 | mfeat_* | solar_flare_1 solar_flare_2 | Hill_Valley_* | waveform_21 waveform_40 | led7
            led24 | breast breast_w | breast_cancer_wisconsin wdbc | australian buggyCrx credit_a crx | credit_g german
            | cleve cleveland cleveland_nominal heart_c | heart_h hungarian | colic horse_colic | house_votes_84 vote |
            pima diabetes | car car_evaluation | cmc contraceptive | kr_vs_kp chess | mushroom agaricus_lepiota | glass
            glass2 prnn_fglass | allbp allhyper allhypo allrep dis
        """,
        uncertain="""
            flare solar_flare_* | analcatdata_boxing* | breast breast_w breast_cancer_wisconsin wdbc | cleve cleveland
            cleveland_nominal heart_* hungarian | spect spectf | allbp allhyper allhypo allrep dis hypothyroid
            ann_thyroid new_thyroid | GAMETES_*
        """,
        source="leaderboards/wainer_ll; twins under two names (crx, credit_a): PMLB's descriptions, from memory",
    ),
    "mteb_eng_v2": _list(
        """
            AmazonCounterfactualClassification ArXivHierarchicalClusteringP2P ArXivHierarchicalClusteringS2S
            BiorxivClusteringP2P.v2 ClimateFEVERHardNegatives FEVERHardNegatives HotpotQAHardNegatives
            MTOPDomainClassification MassiveIntentClassification MassiveScenarioClassification MedrxivClusteringP2P.v2
            MedrxivClusteringS2S.v2 STS22.v2 StackExchangeClustering.v2 StackExchangeClusteringP2P.v2
            SummEvalSummarization.v2 Touche2020Retrieval.v3 TwentyNewsgroupsClustering.v2 ArguAna AskUbuntuDupQuestions
            BIOSSES Banking77Classification CQADupstackGamingRetrieval CQADupstackUnixRetrieval FiQA2018
            ImdbClassification MindSmallReranking SCIDOCS SICK-R STS12 STS13 STS14 STS15 STS17 STSBenchmark
            SprintDuplicateQuestions TRECCOVID ToxicConversationsClassification TweetSentimentExtractionClassification
            TwitterSemEval2015 TwitterURLCorpus
        """,
        families="""
            ArXivHierarchicalClustering* | MedrxivClustering* | MassiveIntentClassification
            MassiveScenarioClassification | CQADupstack*
        """,
        uncertain="""
            StackExchangeClustering* | STS12 STS13 STS14 STS15 STS17 STS22.v2 STSBenchmark | ClimateFEVERHardNegatives
            FEVERHardNegatives | BiorxivClusteringP2P.v2 MedrxivClustering*
        """,
        source="leaderboards/mteb_eng_v2, tasks",
    ),
    "mteb_subsets": _list(
        """
            AmazonCounterfactualClassification/en-ext AmazonCounterfactualClassification/en
            ArXivHierarchicalClusteringP2P/default ArXivHierarchicalClusteringS2S/default
            BiorxivClusteringP2P.v2/default ClimateFEVERHardNegatives/default FEVERHardNegatives/default
            HotpotQAHardNegatives/default MTOPDomainClassification/en MassiveIntentClassification/en
            MassiveScenarioClassification/en MedrxivClusteringP2P.v2/default MedrxivClusteringS2S.v2/default STS22.v2/en
            StackExchangeClustering.v2/default StackExchangeClusteringP2P.v2/default SummEvalSummarization.v2/default
            Touche2020Retrieval.v3/default TwentyNewsgroupsClustering.v2/default ArguAna/default
            AskUbuntuDupQuestions/default BIOSSES/default Banking77Classification/default
            CQADupstackGamingRetrieval/default CQADupstackUnixRetrieval/default FiQA2018/default
            ImdbClassification/default MindSmallReranking/default SCIDOCS/default SICK-R/default STS12/default
            STS13/default STS14/default STS15/default STS17/en-en STSBenchmark/default SprintDuplicateQuestions/default
            TRECCOVID/default ToxicConversationsClassification/default TweetSentimentExtractionClassification/default
            TwitterSemEval2015/default TwitterURLCorpus/default
        """,
        families="""
            AmazonCounterfactualClassification/* | ArXivHierarchicalClustering* | MedrxivClustering* |
            MassiveIntentClassification/en MassiveScenarioClassification/en | CQADupstack*
        """,
        uncertain="""
            StackExchangeClustering* | STS12/default STS13/default STS14/default STS15/default STS17/en-en STS22.v2/en
            STSBenchmark/default | ClimateFEVERHardNegatives/default FEVERHardNegatives/default |
            BiorxivClusteringP2P.v2/default MedrxivClustering*
        """,
        source="leaderboards/mteb_eng_v2, task/hf_subset",
    ),
}

# Every second list is for looking at while a detector is written, the others are to judge it by.
SEEN = {key: LISTS[key] for key in list(LISTS)[::2]}
UNSEEN = {key: LISTS[key] for key in list(LISTS)[1::2]}
