"""Names of the rows of published tables of results, with which of them are of one source: evidence for a detector.

`LISTS`: names of rows, the sets of them that are truly of one source, and the sets where reasonable people would differ
(which may reach over families, or lie within none). What is neither is unrelated, whatever its names share.

`source` says where the names are from: a file of result tables, a public repository, memory (then a name may be spelt
otherwise than published), or made here. What is of one source is told from memory of the data sets' descriptions,
in every list, and without a look at any detector.
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
        source="leaderboards/tsml_rist2023_classification",
    ),
    "demsar_2006": _list(
        """
            adult (sample); breast cancer; breast cancer wisconsin; cmc; ionosphere; iris; liver disorders; lung cancer;
            lymphography; mushroom; primary tumor; rheum; voting; wine
        """,
        source="known-answers/demsar_2006_table6",
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
        source="GIFT-Eval, the 97 rows of its official results, as listed in a public repository",
    ),
    "garcia_herrera_2008": _list(
        """
            Abalone* Adult* Australian Autos Balance Breast Bupa Cleveland Dermatology German Glass Hayes-Roth Heart
            Led7Digit Letter* Lymphography Mushrooms* OptDigits* Satimage* SpamBase* Splice* Tic-tac-toe Vehicle Vowel
            Wine Yeast Zoo Car Crx Ion
        """,
        families="Australian Crx",
        uncertain="Cleveland Heart",
        source="known-answers/garcia_herrera_2008, stars as printed",
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
        source="KEEL, imbalanced data sets, parts 1 to 3, as listed in a public script (three it left out put back)",
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
        source="PROMISE, Jureczko and Madeyski's defect data, as listed in a public repository",
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
        source="leaderboards/wainer_ll",
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
    "cc18": _list(
        """
            kr-vs-kp letter balance-scale mfeat-factors mfeat-fourier breast-w mfeat-karhunen mfeat-morphological
            mfeat-zernike cmc optdigits credit-approval credit-g pendigits diabetes sick spambase splice tic-tac-toe
            vehicle electricity satimage eucalyptus isolet vowel analcatdata_authorship analcatdata_dmft mnist_784 pc4
            pc3 jm1 kc2 kc1 pc1 bank-marketing banknote-authentication blood-transfusion-service-center cnae-9
            first-order-theorem-proving har ilpd madelon nomao ozone-level-8hr phoneme qsar-biodeg wall-robot-navigation
            semeion wdbc adult Bioresponse PhishingWebsites GesturePhaseSegmentationProcessed cylinder-bands
            dresses-sales numerai28.6 texture connect-4 dna churn Devnagari-Script CIFAR_10 MiceProtein car
            Internet-Advertisements mfeat-pixel steel-plates-fault wilt segment climate-model-simulation-crashes
            Fashion-MNIST jungle_chess_2pcs_raw_endgame_complete JapaneseVowels
        """,
        families="mfeat-* | dna splice",
        uncertain="kc1 kc2 | pc1 pc3 pc4 | kc1 kc2 pc1 pc3 pc4 jm1 | breast-w wdbc",
        source="OpenML-CC18, as listed in a public repository: 73 names, one more than the suite's 72",
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
    "medmnist": _list(
        """
            PathMNIST ChestMNIST DermaMNIST OCTMNIST PneumoniaMNIST RetinaMNIST BreastMNIST BloodMNIST TissueMNIST
            OrganAMNIST OrganCMNIST OrganSMNIST OrganMNIST3D NoduleMNIST3D AdrenalMNIST3D FractureMNIST3D VesselMNIST3D
            SynapseMNIST3D
        """,
        families="OrganAMNIST OrganCMNIST OrganSMNIST OrganMNIST3D",
        source="MedMNIST v2, from memory",
    ),
    "tser_rist": _list(
        """
            AcousticContaminationMadrid_nmv AluminiumConcentration BoronConcentration CopperConcentration
            IronConcentration ManganeseConcentration SodiumConcentration MagnesiumConcentration PhosphorusConcentration
            PotassiumConcentration CalciumConcentration SulphurConcentration ZincConcentration AppliancesEnergy
            ChilledWaterPredictor ElectricityPredictor HotwaterPredictor SteamPredictor BarCrawl6min
            BeijingIntAirportPM25Quality BeijingPM10Quality_nmv BeijingPM25Quality_nmv BenzeneConcentration_nmv
            BinanceCoinSentiment BitcoinSentiment CardanoSentiment Covid19Andalusia Covid3Month DailyOilGasPrices
            DailyTemperatureLatitude DhakaHourlyAirQuality ElectricMotorTemperature EthereumSentiment FloodModeling1
            FloodModeling2 FloodModeling3 GasSensorArrayAcetone GasSensorArrayEthanol HouseholdPowerConsumption1_nmv
            HouseholdPowerConsumption2_nmv IEEEPPG LiveFuelMoistureContent LPGasMonitoringHomeActivity
            MadridPM10Quality_nmv MethaneMonitoringHomeActivity MetroInterstateTrafficVolume NaturalGasPricesSentiment
            OccupancyDetectionLight ParkingBirmingham_eq PrecipitationAndalusia_nmv SierraNevadaMountainsSnow
            SolarRadiationAndalusia_nmv TetuanEnergyConsumption WaveDataTension WindTurbinePower
        """,
        families="""
            AluminiumConcentration BoronConcentration CopperConcentration IronConcentration ManganeseConcentration
            SodiumConcentration MagnesiumConcentration PhosphorusConcentration PotassiumConcentration
            CalciumConcentration SulphurConcentration ZincConcentration | *Predictor | BinanceCoinSentiment
            BitcoinSentiment CardanoSentiment EthereumSentiment | FloodModeling* | GasSensorArray* |
            HouseholdPowerConsumption* | BeijingPM* | LPGasMonitoringHomeActivity MethaneMonitoringHomeActivity
        """,
        uncertain="Beijing* | PrecipitationAndalusia_nmv SolarRadiationAndalusia_nmv | *Sentiment",
        source="leaderboards/tsml_rist2023_regression",
    ),
    "vtab": _list(
        """
            Caltech101 CIFAR-100 DTD Flowers102 Pets Sun397 SVHN Camelyon EuroSAT Resisc45 Retinopathy Clevr-Count
            Clevr-Dist DMLab dSpr-Loc dSpr-Ori KITTI-Dist sNORB-Azim sNORB-Elev
        """,
        families="Clevr-* | dSpr-* | sNORB-*",
        source="VTAB-1k, short names of its tables, from memory",
    ),
    "tabr": _list(
        """
            adult black-friday california churn covtype diamond higgs-small house microsoft otto weather-small
            why/classif-cat-large-0-covertype why/classif-cat-large-0-road-safety
            why/classif-cat-medium-0-KDDCup09_upselling why/classif-cat-medium-0-compass
            why/classif-cat-medium-0-electricity why/classif-cat-medium-0-rl why/classif-cat-medium-1-KDDCup09_upselling
            why/classif-cat-medium-1-compass why/classif-cat-medium-1-rl why/classif-cat-medium-2-KDDCup09_upselling
            why/classif-cat-medium-2-rl why/classif-num-large-0-Higgs why/classif-num-large-0-MiniBooNE
            why/classif-num-large-0-jannis why/classif-num-medium-0-MagicTelescope
            why/classif-num-medium-0-bank-marketing why/classif-num-medium-0-credit
            why/classif-num-medium-0-kdd_ipums_la_97-small why/classif-num-medium-0-phoneme
            why/classif-num-medium-0-wine why/classif-num-medium-1-MagicTelescope
            why/classif-num-medium-1-bank-marketing why/classif-num-medium-1-credit
            why/classif-num-medium-1-kdd_ipums_la_97-small why/classif-num-medium-1-phoneme
            why/classif-num-medium-1-wine why/classif-num-medium-2-MagicTelescope
            why/classif-num-medium-2-bank-marketing why/classif-num-medium-2-kdd_ipums_la_97-small
            why/classif-num-medium-2-phoneme why/classif-num-medium-2-wine why/classif-num-medium-3-phoneme
            why/classif-num-medium-3-wine why/classif-num-medium-4-phoneme why/classif-num-medium-4-wine
            why/regression-cat-large-0-SGEMM_GPU_kernel_performance why/regression-cat-large-0-black_friday
            why/regression-cat-large-0-diamonds why/regression-cat-large-0-nyc-taxi-green-dec-2016
            why/regression-cat-large-0-particulate-matter-ukair-2017 why/regression-cat-medium-0-Bike_Sharing_Demand
            why/regression-cat-medium-0-Brazilian_houses why/regression-cat-medium-0-Mercedes_Benz_Greener_Manufacturing
            why/regression-cat-medium-0-OnlineNewsPopularity why/regression-cat-medium-0-analcatdata_supreme
            why/regression-cat-medium-0-house_sales why/regression-cat-medium-0-visualizing_soil
            why/regression-cat-medium-0-yprop_4_1 why/regression-cat-medium-1-Bike_Sharing_Demand
            why/regression-cat-medium-1-Brazilian_houses why/regression-cat-medium-1-Mercedes_Benz_Greener_Manufacturing
            why/regression-cat-medium-1-analcatdata_supreme why/regression-cat-medium-1-visualizing_soil
            why/regression-cat-medium-1-yprop_4_1 why/regression-cat-medium-2-Brazilian_houses
            why/regression-cat-medium-2-Mercedes_Benz_Greener_Manufacturing
            why/regression-cat-medium-2-analcatdata_supreme why/regression-cat-medium-2-visualizing_soil
            why/regression-cat-medium-2-yprop_4_1 why/regression-cat-medium-3-Mercedes_Benz_Greener_Manufacturing
            why/regression-cat-medium-3-analcatdata_supreme
            why/regression-cat-medium-4-Mercedes_Benz_Greener_Manufacturing
            why/regression-cat-medium-4-analcatdata_supreme why/regression-num-large-0-year
            why/regression-num-medium-0-Ailerons why/regression-num-medium-0-MiamiHousing2016
            why/regression-num-medium-0-california why/regression-num-medium-0-cpu_act
            why/regression-num-medium-0-elevators why/regression-num-medium-0-fifa why/regression-num-medium-0-house_16H
            why/regression-num-medium-0-houses why/regression-num-medium-0-isolet
            why/regression-num-medium-0-medical_charges why/regression-num-medium-0-pol
            why/regression-num-medium-0-sulfur why/regression-num-medium-0-superconduct
            why/regression-num-medium-0-wine_quality why/regression-num-medium-1-Ailerons
            why/regression-num-medium-1-MiamiHousing2016 why/regression-num-medium-1-cpu_act
            why/regression-num-medium-1-elevators why/regression-num-medium-1-fifa why/regression-num-medium-1-isolet
            why/regression-num-medium-1-pol why/regression-num-medium-1-sulfur why/regression-num-medium-1-wine_quality
            why/regression-num-medium-2-Ailerons why/regression-num-medium-2-MiamiHousing2016
            why/regression-num-medium-2-cpu_act why/regression-num-medium-2-isolet why/regression-num-medium-2-sulfur
            why/regression-num-medium-2-wine_quality weather-big
        """,
        families="""
            *-KDDCup09_upselling | *-compass | *-rl | *-MagicTelescope | *-bank-marketing | *-kdd_ipums_la_97-small |
            *-phoneme | *-wine | *-Bike_Sharing_Demand | *-Brazilian_houses | *-Mercedes_Benz_Greener_Manufacturing |
            *-analcatdata_supreme | *-visualizing_soil | *-yprop_4_1 | *-Ailerons | *-MiamiHousing2016 | *-cpu_act |
            *-elevators | *-fifa | *-isolet | *-pol | *-sulfur | *-medium-?-credit | *-wine_quality | weather-* |
            covtype *-covertype | diamond *-diamonds | black-friday *-black_friday | higgs-small *-Higgs | california
            *-california | house *-house_16H
        """,
        uncertain="*-wine *-wine_quality | california *-california *-houses",
        source="leaderboards/tabr_seeds_long",
    ),
    "glue": _list(
        "CoLA SST-2 MRPC STS-B QQP MNLI-m MNLI-mm QNLI RTE WNLI AX",
        families="MNLI-*",
        source="GLUE, from memory",
    ),
    "xnli": _list(
        """
            xnli_ar xnli_bg xnli_de xnli_el xnli_en xnli_es xnli_fr xnli_hi xnli_ru xnli_sw xnli_th xnli_tr xnli_ur
            xnli_vi xnli_zh
        """,
        families="xnli_*",
        source="XNLI, lm-evaluation-harness, from memory",
    ),
    "superglue": _list(
        "BoolQ CB COPA MultiRC ReCoRD RTE WiC WSC AX-b AX-g",
        uncertain="AX-b AX-g",
        source="SuperGLUE, from memory",
    ),
    "multilingual_harness": _list(
        """
            paws_de paws_en paws_es paws_fr paws_ja paws_ko paws_zh xcopa_et xcopa_ht xcopa_id xcopa_it xcopa_qu
            xcopa_sw xcopa_ta xcopa_th xcopa_tr xcopa_vi xcopa_zh xstorycloze_ar xstorycloze_en xstorycloze_es
            xstorycloze_eu xstorycloze_hi xstorycloze_id xstorycloze_my xstorycloze_ru xstorycloze_sw xstorycloze_te
            xstorycloze_zh xwinograd_en xwinograd_fr xwinograd_jp xwinograd_pt xwinograd_ru xwinograd_zh
            lambada_openai_mt_de lambada_openai_mt_en lambada_openai_mt_es lambada_openai_mt_fr lambada_openai_mt_it
            mgsm_direct_bn mgsm_direct_de mgsm_direct_en mgsm_direct_es mgsm_direct_fr mgsm_direct_ja mgsm_direct_ru
            mgsm_direct_sw mgsm_direct_te mgsm_direct_th mgsm_direct_zh
        """,
        families="paws_* | xcopa_* | xstorycloze_* | lambada_* | mgsm_*",
        uncertain="xwinograd_*",
        source="lm-evaluation-harness, multilingual tasks, from memory",
    ),
    "weka_uci_arff": _list(
        """
            anneal anneal.ORIG arrhythmia audiology autos balance-scale breast-cancer breast-w bridges_version1
            bridges_version2 car cmc colic colic.ORIG credit-a credit-g cylinder-bands dermatology diabetes ecoli flags
            glass haberman hayes-roth_test hayes-roth_train heart-c heart-h heart-statlog hepatitis hypothyroid
            ionosphere iris kdd_JapaneseVowels_test kdd_JapaneseVowels_train kdd_UNIX_user_data kdd_coil_test-1
            kdd_coil_test-2 kdd_coil_train-1 kdd_el_nino-small kdd_ipums_la_97-small kdd_ipums_la_98-small
            kdd_ipums_la_99-small kdd_synthetic_control kr-vs-kp labor landsat_test landsat_train letter liver-disorders
            lung-cancer lymph mfeat-factors mfeat-fourier mfeat-karhunen mfeat-morphological mfeat-pixel mfeat-zernike
            molecular-biology_promoters monks-problems-1_test monks-problems-1_train monks-problems-2_test
            monks-problems-2_train monks-problems-3_test monks-problems-3_train mushroom nursery optdigits page-blocks
            pendigits postoperative-patient-data primary-tumor segment shuttle-landing-control sick solar-flare_1
            solar-flare_2 sonar soybean spambase spect_test spect_train spectf_test spectf_train spectrometer splice
            sponge tae tic-tac-toe trains vehicle vote vowel waveform-5000 wine zoo
        """,
        families="""
            anneal* | bridges_* | colic* | hayes-roth_* | kdd_JapaneseVowels_* | kdd_coil_* | kdd_ipums_* | landsat_* |
            mfeat-* | monks-* | solar-flare_* | spect_* | spectf_*
        """,
        uncertain="heart-* | spect_* spectf_* | hypothyroid sick",
        source="WEKA's archive of UCI data, from memory",
    ),
    "monash": _list(
        """
            nn5_daily_dataset_without_missing_values nn5_weekly_dataset m1_yearly_dataset m1_quarterly_dataset
            m1_monthly_dataset m3_yearly_dataset m3_quarterly_dataset m3_monthly_dataset m3_other_dataset
            m4_yearly_dataset m4_quarterly_dataset m4_monthly_dataset m4_weekly_dataset m4_daily_dataset
            m4_hourly_dataset tourism_yearly_dataset tourism_quarterly_dataset tourism_monthly_dataset
            car_parts_dataset_without_missing_values hospital_dataset weather_dataset dominick_dataset fred_md_dataset
            solar_10_minutes_dataset solar_weekly_dataset solar_4_seconds_dataset wind_4_seconds_dataset
            sunspot_dataset_without_missing_values wind_farms_minutely_dataset_without_missing_values elecdemand_dataset
            us_births_dataset saugeenday_dataset covid_deaths_dataset cif_2016_dataset
            london_smart_meters_dataset_without_missing_values kaggle_web_traffic_dataset_without_missing_values
            kaggle_web_traffic_weekly_dataset traffic_hourly_dataset traffic_weekly_dataset electricity_hourly_dataset
            electricity_weekly_dataset pedestrian_counts_dataset kdd_cup_2018_dataset_without_missing_values
            australian_electricity_demand_dataset covid_mobility_dataset_without_missing_values
            rideshare_dataset_without_missing_values vehicle_trips_dataset_without_missing_values
            temperature_rain_dataset_without_missing_values oikolab_weather_dataset
        """,
        families="""
            nn5_* | kaggle_web_traffic_* | traffic_* | electricity_* | solar_10_minutes_dataset solar_weekly_dataset
        """,
        uncertain="""
            m1_* | m3_* | m4_* | tourism_* | solar_* | solar_4_seconds_dataset wind_4_seconds_dataset | wind_* |
            elecdemand_dataset australian_electricity_demand_dataset | *weather_dataset | covid_*
        """,
        source="Monash archive, file names, as listed by aeon",
    ),
    "mujoco": _list(
        """
            Ant-v4 HalfCheetah-v4 Hopper-v4 Humanoid-v4 HumanoidStandup-v4 InvertedDoublePendulum-v4 InvertedPendulum-v4
            Pusher-v4 Reacher-v4 Swimmer-v4 Walker2d-v4
        """,
        uncertain="Humanoid-v4 HumanoidStandup-v4 | InvertedPendulum-v4 InvertedDoublePendulum-v4",
        source="Gymnasium MuJoCo, from memory",
    ),
    "d4rl": _list(
        """
            halfcheetah-random-v2 halfcheetah-medium-v2 halfcheetah-medium-replay-v2 halfcheetah-medium-expert-v2
            halfcheetah-expert-v2 hopper-random-v2 hopper-medium-v2 hopper-medium-replay-v2 hopper-medium-expert-v2
            hopper-expert-v2 walker2d-random-v2 walker2d-medium-v2 walker2d-medium-replay-v2 walker2d-medium-expert-v2
            walker2d-expert-v2 antmaze-umaze-v0 antmaze-umaze-diverse-v0 antmaze-medium-play-v0
            antmaze-medium-diverse-v0 antmaze-large-play-v0 antmaze-large-diverse-v0 kitchen-complete-v0
            kitchen-partial-v0 kitchen-mixed-v0 pen-human-v1 pen-cloned-v1 hammer-human-v1 hammer-cloned-v1
            door-human-v1 door-cloned-v1 relocate-human-v1 relocate-cloned-v1
        """,
        families="""
            halfcheetah-* | hopper-* | walker2d-* | antmaze-umaze-* | antmaze-medium-* | antmaze-large-* | kitchen-* |
            pen-* | hammer-* | door-* | relocate-*
        """,
        uncertain="antmaze-*",
        source="D4RL, from memory",
    ),
    "bbob": _list(
        "f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24",
        source="BBOB, functions 1 to 24, from memory",
    ),
    "libsvm": _list(
        """
            a1a a2a a3a a4a a5a a6a a7a a8a a9a w1a w2a w3a w4a w5a w6a w7a w8a australian breast-cancer cod-rna
            colon-cancer covtype.binary diabetes duke epsilon fourclass german.numer gisette heart ijcnn1 ionosphere
            leukemia liver-disorders madelon mushrooms news20.binary phishing rcv1.binary real-sim skin_nonskin sonar
            splice svmguide1 svmguide3 SUSY HIGGS url kdda kddb
        """,
        families="a?a | w?a",
        uncertain="kdda kddb | svmguide1 svmguide3",
        source="LIBSVM, binary data sets, from memory",
    ),
    "atari": _list(
        """
            AlienNoFrameskip-v4 AmidarNoFrameskip-v4 AssaultNoFrameskip-v4 AsterixNoFrameskip-v4 AsteroidsNoFrameskip-v4
            AtlantisNoFrameskip-v4 BankHeistNoFrameskip-v4 BattleZoneNoFrameskip-v4 BeamRiderNoFrameskip-v4
            BerzerkNoFrameskip-v4 BowlingNoFrameskip-v4 BoxingNoFrameskip-v4 BreakoutNoFrameskip-v4
            CentipedeNoFrameskip-v4 ChopperCommandNoFrameskip-v4 CrazyClimberNoFrameskip-v4 DefenderNoFrameskip-v4
            DemonAttackNoFrameskip-v4 DoubleDunkNoFrameskip-v4 EnduroNoFrameskip-v4 FishingDerbyNoFrameskip-v4
            FreewayNoFrameskip-v4 FrostbiteNoFrameskip-v4 GopherNoFrameskip-v4 GravitarNoFrameskip-v4 HeroNoFrameskip-v4
            IceHockeyNoFrameskip-v4 JamesbondNoFrameskip-v4 KangarooNoFrameskip-v4 KrullNoFrameskip-v4
            KungFuMasterNoFrameskip-v4 MontezumaRevengeNoFrameskip-v4 MsPacmanNoFrameskip-v4 NameThisGameNoFrameskip-v4
            PhoenixNoFrameskip-v4 PitfallNoFrameskip-v4 PongNoFrameskip-v4 PrivateEyeNoFrameskip-v4 QbertNoFrameskip-v4
            RiverraidNoFrameskip-v4 RoadRunnerNoFrameskip-v4 RobotankNoFrameskip-v4 SeaquestNoFrameskip-v4
            SkiingNoFrameskip-v4 SolarisNoFrameskip-v4 SpaceInvadersNoFrameskip-v4 StarGunnerNoFrameskip-v4
            SurroundNoFrameskip-v4 TennisNoFrameskip-v4 TimePilotNoFrameskip-v4 TutankhamNoFrameskip-v4
            UpNDownNoFrameskip-v4 VentureNoFrameskip-v4 VideoPinballNoFrameskip-v4 WizardOfWorNoFrameskip-v4
            YarsRevengeNoFrameskip-v4 ZaxxonNoFrameskip-v4
        """,
        source="Atari 57, names of Gym, from memory",
    ),
    "moa_streams": _list(
        "LED_a LED_g SEA_a SEA_g AGR_a AGR_g RTG RBF_m RBF_f HYPER AIRL ELEC COVT GMSC KDD99 SPAM",
        families="LED_? | SEA_? | AGR_? | RBF_?",
        source="Gomes et al. 2017, adaptive random forests, from memory",
    ),
    "ogb": _list(
        """
            ogbn-products ogbn-proteins ogbn-arxiv ogbn-papers100M ogbn-mag ogbl-ppa ogbl-collab ogbl-ddi ogbl-citation2
            ogbl-wikikg2 ogbl-biokg ogbl-vessel ogbg-molhiv ogbg-molpcba ogbg-ppa ogbg-code2
        """,
        uncertain="""
            ogbn-arxiv ogbn-papers100M ogbn-mag ogbl-citation2 ogbl-collab | ogbl-ppa ogbg-ppa ogbn-proteins | ogbg-mol*
        """,
        source="Open Graph Benchmark, from memory",
    ),
    "domainbed": _list(
        """
            PACS/A PACS/C PACS/P PACS/S VLCS/C VLCS/L VLCS/S VLCS/V OfficeHome/A OfficeHome/C OfficeHome/P OfficeHome/R
            TerraIncognita/L100 TerraIncognita/L38 TerraIncognita/L43 TerraIncognita/L46 DomainNet/clip DomainNet/info
            DomainNet/paint DomainNet/quick DomainNet/real DomainNet/sketch ColoredMNIST/+90% ColoredMNIST/+80%
            ColoredMNIST/-90% RotatedMNIST/0 RotatedMNIST/15 RotatedMNIST/30 RotatedMNIST/45 RotatedMNIST/60
            RotatedMNIST/75
        """,
        families="PACS/* | VLCS/* | OfficeHome/* | TerraIncognita/* | DomainNet/* | ColoredMNIST/* | RotatedMNIST/*",
        uncertain="ColoredMNIST/* RotatedMNIST/*",
        source="DomainBed, columns of its tables under the name of the table (joined here), from memory",
    ),
    "torchvision": _list(
        """
            Caltech101 Caltech256 CelebA CIFAR10 CIFAR100 Country211 DTD EuroSAT FashionMNIST FER2013 FGVCAircraft
            Flickr8k Flickr30k Flowers102 Food101 GTSRB INaturalist ImageNet Imagenette KMNIST EMNIST MNIST QMNIST
            LFWPeople LFWPairs LSUN Omniglot OxfordIIITPet Places365 PCAM RenderedSST2 SEMEION StanfordCars STL10 SUN397
            SVHN USPS
        """,
        families="ImageNet Imagenette | MNIST QMNIST | LFW*",
        uncertain="CIFAR10 CIFAR100 | Caltech101 Caltech256 | MNIST QMNIST EMNIST | Flickr8k Flickr30k",
        source="torchvision.datasets, from memory",
    ),
    "moleculenet": _list(
        """
            tox21_NR-AR tox21_NR-AR-LBD tox21_NR-AhR tox21_NR-Aromatase tox21_NR-ER tox21_NR-ER-LBD tox21_NR-PPAR-gamma
            tox21_SR-ARE tox21_SR-ATAD5 tox21_SR-HSE tox21_SR-MMP tox21_SR-p53 MUV-466 MUV-548 MUV-600 MUV-644 MUV-652
            MUV-689 MUV-692 MUV-712 MUV-713 MUV-733 MUV-737 MUV-810 MUV-832 MUV-846 MUV-852 MUV-858 MUV-859
            ClinTox_FDA_APPROVED ClinTox_CT_TOX ESOL FreeSolv Lipophilicity HIV BACE BBBP
        """,
        families="tox21_* | MUV-* | ClinTox_*",
        source="MoleculeNet, tasks as rows, from memory",
    ),
    "tabred": _list(
        """
            cooking-time delivery-eta ecom-offers homecredit-default homesite-insurance maps-routing sberbank-housing
            weather
        """,
        source="leaderboards/tabred_seeds_long",
    ),
    "mnist_variants": _list(
        """
            mnist-basic mnist-rot mnist-back-rand mnist-back-image mnist-rot-back-image rectangles rectangles-image
            convex
        """,
        families="mnist-* | rectangles*",
        source="Larochelle et al. 2007, from memory",
    ),
    "llm": _list(
        """
            ARC-Easy ARC-Challenge HellaSwag MMLU MMLU-Pro WinoGrande PIQA SIQA BoolQ OpenBookQA CommonsenseQA
            TruthfulQA TriviaQA NaturalQuestions RACE-m RACE-h GSM8K MATH HumanEval HumanEval+ MBPP MBPP+ BBH DROP GPQA
            IFEval AGIEval LAMBADA SQuAD QuAC CoQA
        """,
        families="HumanEval HumanEval+ | MBPP MBPP+",
        uncertain="ARC-* | MMLU MMLU-Pro | RACE-*",
        source="tables of language models, usual names, from memory",
    ),
    "uea": _list(
        """
            ArticularyWordRecognition AtrialFibrillation BasicMotions CharacterTrajectories Cricket DuckDuckGeese
            EigenWorms Epilepsy ERing EthanolConcentration FaceDetection FingerMovements HandMovementDirection
            Handwriting Heartbeat InsectWingbeat JapaneseVowels Libras LSST MotorImagery NATOPS PEMS-SF PenDigits
            PhonemeSpectra RacketSports SelfRegulationSCP1 SelfRegulationSCP2 SpokenArabicDigits StandWalkJump
            UWaveGestureLibrary
        """,
        uncertain="SelfRegulationSCP1 SelfRegulationSCP2",
        source="UEA archive, 30 multivariate, as listed in a public repository",
    ),
    "keel_imbalanced_high": _list(
        """
            kr-vs-k-zero_vs_eight zoo-3 kr-vs-k-one_vs_fifteen winequality-red-4 dermatology-6 shuttle-2_vs_5
            winequality-white-3-9_vs_5 winequality-red-3_vs_5 winequality-red-8_vs_6-7 kddcup-rootkit-imap_vs_back
            kddcup-guess_passwd_vs_satan kddcup-buffer_overflow_vs_back abalone-19_vs_10-11-12-13 abalone-17_vs_7-8-9-10
            poker-8-9_vs_6 shuttle-6_vs_2-3 kddcup-land_vs_portsweep poker-9_vs_7 car-good abalone-20_vs_8-9-10
            lymphography-normal-fibrosis abalone-3_vs_11 flare-F winequality-white-3_vs_7 winequality-red-8_vs_6
            car-vgood kddcup-land_vs_satan abalone-21_vs_8 kr-vs-k-zero-one_vs_draw poker-8_vs_6
            winequality-white-9_vs_4 kr-vs-k-zero_vs_fifteen kr-vs-k-three_vs_eleven poker-8-9_vs_5
        """,
        families="""
            kr-vs-k-* | winequality-red-* | winequality-white-* | shuttle-* | kddcup-* | abalone-* | poker-* | car-*
        """,
        uncertain="winequality-*",
        source="KEEL, imbalanced data sets, part 4, as listed in a public script (two it left out put back)",
    ),
    "pytorch_frame": _list(
        """
            dataset_0 dataset_1 dataset_2 dataset_3 dataset_4 dataset_5 dataset_6 dataset_7 dataset_8 dataset_9
            dataset_10 dataset_11 dataset_12 dataset_13
        """,
        source="leaderboards/tables-as-printed/pytorch_frame_binary_small, different data sets",
    ),
    "tabrepo_folds": _list(
        """
            2073_4 2073_5 2073_6 2073_7 2073_8 3945_2 3945_7 3945_8 3945_9 7593_0 7593_1 7593_2 7593_3 7593_4 7593_5
            7593_6 7593_7 7593_8 7593_9 10090_0 10090_1 10090_2 10090_3 10090_4 10090_5 10090_6 10090_7 10090_8 10090_9
            146818_0 146818_1 146818_2 146818_3 146818_4 146818_5 146818_6 146818_7 146818_8 146818_9 146820_0 146820_1
            146820_2 146820_3 146820_4 146820_5 146820_6 146820_7 146820_8 146820_9 167120_0 167120_1 167120_2 167120_3
            167120_4 167120_5 167120_6 167120_7 167120_8 167120_9 167210_0 167210_1 167210_2 167210_3 167210_4 167210_5
            167210_6 167210_7 167210_8 167210_9 168350_0 168350_1 168350_2 168350_3 168350_4 168350_5 168350_6 168350_7
            168350_8 168350_9 168757_0 168757_1 168757_2 168757_3 168757_4 168757_5 168757_6 168757_7 168757_8 168757_9
            168784_0 168784_1 168784_2 168784_3 168784_4 168784_5 168784_6 168784_7 168784_8 168784_9 168868_0 168868_1
            168868_4 168868_6 168868_8 168909_0 168909_1 168909_2 168909_3 168909_4 168909_5 168909_6 168909_7 168909_8
            168909_9 168910_0 168910_1 168910_2 168910_3 168910_4 168910_5 168910_6 168910_7 168910_8 168910_9
        """,
        families="""
            2073_* | 3945_* | 7593_* | 10090_* | 146818_* | 146820_* | 167120_* | 167210_* | 168350_* | 168757_* |
            168784_* | 168868_* | 168909_* | 168910_*
        """,
        source="leaderboards/tabrepo_automl_2022, the first 14 OpenML tasks (task_fold)",
    ),
    "statlog": _list(
        """
            cred.aust cred.ger cred.man Dig44 KL Vehicle Letter Chrom SatIm Segm Cut20 Cut50 head heart shuttle diab DNA
            Tech Belg BelgII Faults Tsetse
        """,
        families="Dig44 KL | Cut20 Cut50",
        uncertain="Belg BelgII",
        source="Statlog, short names of its book, from memory",
    ),
    "caruana_2006": _list(
        "ADULT BACT COD CALHOUS COV_TYPE HS LETTER.P1 LETTER.P2 MEDIS MG SLAC",
        families="LETTER.*",
        source="Caruana and Niculescu-Mizil 2006, from memory",
    ),
    "mulan": _list(
        """
            bibtex birds bookmarks CAL500 Corel5k Corel16k001 Corel16k002 Corel16k003 Corel16k004 Corel16k005
            Corel16k006 Corel16k007 Corel16k008 Corel16k009 Corel16k010 delicious emotions enron EUR-Lex-dc EUR-Lex-ev
            EUR-Lex-sm flags genbase mediamill medical NUS-WIDE-bow NUS-WIDE-cVLADplus rcv1subset1 rcv1subset2
            rcv1subset3 rcv1subset4 rcv1subset5 scene tmc2007 tmc2007-500 yahoo-arts yahoo-business yahoo-health yeast
        """,
        families="Corel16k* | EUR-Lex-* | NUS-WIDE-* | rcv1subset* | tmc2007*",
        uncertain="yahoo-* | Corel*",
        source="Mulan, multi-label data, from memory",
    ),
    "d1_to_d20": _list(
        "d1 d2 d3 d4 d5 d6 d7 d8 d9 d10 d11 d12 d13 d14 d15 d16 d17 d18 d19 d20",
        source="made: data sets that a paper only numbers",
    ),
    "tudataset": _list(
        """
            MUTAG PTC_MR PTC_FM PTC_FR PTC_MM PROTEINS DD ENZYMES NCI1 NCI109 COLLAB IMDB-BINARY IMDB-MULTI
            REDDIT-BINARY REDDIT-MULTI-5K REDDIT-MULTI-12K AIDS Mutagenicity MSRC_9 MSRC_21 COX2 DHFR BZR Synthie
            SYNTHETIC
        """,
        families="PTC_*",
        uncertain="NCI1 NCI109 | IMDB-* | REDDIT-* | MSRC_* | PROTEINS DD | Synthie SYNTHETIC",
        source="TUDataset, from memory",
    ),
    "nodes": _list(
        """
            Cora CiteSeer PubMed Computers Photo CS Physics Chameleon Squirrel Actor Cornell Texas Wisconsin WikiCS
        """,
        uncertain="Computers Photo | CS Physics | Chameleon Squirrel | Cornell Texas Wisconsin",
        source="PyTorch Geometric, node classification, from memory",
    ),
    "adbench": _list(
        """
            1_ALOI 2_annthyroid 3_backdoor 4_breastw 5_campaign 6_cardio 7_Cardiotocography 8_celeba 9_census 10_cover
            11_donors 12_fault 13_fraud 14_glass 15_Hepatitis 16_http 17_InternetAds 18_Ionosphere 19_landsat 20_letter
            21_Lymphography 22_magic.gamma 23_mammography 24_mnist 25_musk 26_optdigits 27_PageBlocks 28_pendigits
            29_Pima 30_satellite 31_satimage-2 32_shuttle 33_skin 34_smtp 35_SpamBase 36_speech 37_Stamps 38_thyroid
            39_vertebral 40_vowels 41_Waveform 42_WBC 43_WDBC 44_Wilt 45_wine 46_WPBC 47_yeast
        """,
        families="6_cardio 7_Cardiotocography | 19_landsat 30_satellite 31_satimage-2",
        uncertain="""
            2_annthyroid 38_thyroid | 16_http 34_smtp | 4_breastw 42_WBC | 43_WDBC 46_WPBC | 42_WBC 43_WDBC 46_WPBC
        """,
        source="ADBench, classical, from memory",
    ),
    "adbench_cv_nlp": _list(
        """
            CIFAR10_0 CIFAR10_1 CIFAR10_2 CIFAR10_3 CIFAR10_4 CIFAR10_5 CIFAR10_6 CIFAR10_7 CIFAR10_8 CIFAR10_9
            FashionMNIST_0 FashionMNIST_1 FashionMNIST_2 FashionMNIST_3 FashionMNIST_4 FashionMNIST_5 FashionMNIST_6
            FashionMNIST_7 FashionMNIST_8 FashionMNIST_9 SVHN_0 SVHN_1 SVHN_2 SVHN_3 SVHN_4 SVHN_5 SVHN_6 SVHN_7 SVHN_8
            SVHN_9 MNIST-C_brightness MNIST-C_canny_edges MNIST-C_dotted_line MNIST-C_fog MNIST-C_glass_blur
            MNIST-C_identity MNIST-C_impulse_noise MNIST-C_motion_blur MNIST-C_rotate MNIST-C_scale MNIST-C_shear
            MNIST-C_shot_noise MNIST-C_spatter MNIST-C_stripe MNIST-C_translate MNIST-C_zigzag MVTec-AD_bottle
            MVTec-AD_cable MVTec-AD_capsule MVTec-AD_carpet MVTec-AD_grid MVTec-AD_hazelnut MVTec-AD_leather
            MVTec-AD_metal_nut MVTec-AD_pill MVTec-AD_screw MVTec-AD_tile MVTec-AD_toothbrush MVTec-AD_transistor
            MVTec-AD_wood MVTec-AD_zipper 20news_0 20news_1 20news_2 20news_3 20news_4 20news_5 agnews_0 agnews_1
            agnews_2 agnews_3 amazon imdb yelp
        """,
        families="CIFAR10_* | FashionMNIST_* | SVHN_* | MNIST-C_* | 20news_* | agnews_*",
        uncertain="MVTec-AD_*",
        source="ADBench, images and texts, from memory",
    ),
    "bbh": _list(
        """
            boolean_expressions causal_judgement date_understanding disambiguation_qa dyck_languages formal_fallacies
            geometric_shapes hyperbaton logical_deduction_five_objects logical_deduction_seven_objects
            logical_deduction_three_objects movie_recommendation multistep_arithmetic_two navigate object_counting
            penguins_in_a_table reasoning_about_colored_objects ruin_names salient_translation_error_detection snarks
            sports_understanding temporal_sequences tracking_shuffled_objects_five_objects
            tracking_shuffled_objects_seven_objects tracking_shuffled_objects_three_objects web_of_lies word_sorting
        """,
        families="logical_deduction_* | tracking_shuffled_objects_*",
        source="BIG-bench Hard, from memory",
    ),
    "mmlu": _list(
        """
            mmlu_abstract_algebra mmlu_anatomy mmlu_astronomy mmlu_business_ethics mmlu_clinical_knowledge
            mmlu_college_biology mmlu_college_chemistry mmlu_college_computer_science mmlu_college_mathematics
            mmlu_college_medicine mmlu_college_physics mmlu_computer_security mmlu_conceptual_physics mmlu_econometrics
            mmlu_electrical_engineering mmlu_elementary_mathematics mmlu_formal_logic mmlu_global_facts
            mmlu_high_school_biology mmlu_high_school_chemistry mmlu_high_school_computer_science
            mmlu_high_school_european_history mmlu_high_school_geography mmlu_high_school_government_and_politics
            mmlu_high_school_macroeconomics mmlu_high_school_mathematics mmlu_high_school_microeconomics
            mmlu_high_school_physics mmlu_high_school_psychology mmlu_high_school_statistics mmlu_high_school_us_history
            mmlu_high_school_world_history mmlu_human_aging mmlu_human_sexuality mmlu_international_law
            mmlu_jurisprudence mmlu_logical_fallacies mmlu_machine_learning mmlu_management mmlu_marketing
            mmlu_medical_genetics mmlu_miscellaneous mmlu_moral_disputes mmlu_moral_scenarios mmlu_nutrition
            mmlu_philosophy mmlu_prehistory mmlu_professional_accounting mmlu_professional_law
            mmlu_professional_medicine mmlu_professional_psychology mmlu_public_relations mmlu_security_studies
            mmlu_sociology mmlu_us_foreign_policy mmlu_virology mmlu_world_religions
        """,
        families="mmlu_*",
        source="MMLU, lm-evaluation-harness, from memory",
    ),
    "kaggle_autogluon": _list(
        """
            house-prices-advanced-regression-techniques mercedes-benz-greener-manufacturing
            santander-value-prediction-challenge allstate-claims-severity bnp-paribas-cardif-claims-management
            santander-customer-transaction-prediction santander-customer-satisfaction
            porto-seguro-safe-driver-prediction ieee-fraud-detection walmart-recruiting-trip-type-classification
            otto-group-product-classification-challenge
        """,
        uncertain="santander-customer-*",
        source="AutoGluon 2020, 11 Kaggle competitions, from memory",
    ),
    "ltsf": _list(
        """
            ETTh1_96 ETTh1_192 ETTh1_336 ETTh1_720 ETTh2_96 ETTh2_192 ETTh2_336 ETTh2_720 ETTm1_96 ETTm1_192 ETTm1_336
            ETTm1_720 ETTm2_96 ETTm2_192 ETTm2_336 ETTm2_720 electricity_96 electricity_192 electricity_336
            electricity_720 traffic_96 traffic_192 traffic_336 traffic_720 weather_96 weather_192 weather_336
            weather_720 exchange_rate_96 exchange_rate_192 exchange_rate_336 exchange_rate_720 national_illness_24
            national_illness_36 national_illness_48 national_illness_60
        """,
        families="""
            ETTh1_* ETTm1_* | ETTh2_* ETTm2_* | electricity_* | traffic_* | weather_* | exchange_rate_* |
            national_illness_*
        """,
        uncertain="ETT*",
        source="long-term forecasting, data set and horizon (joined here), from memory",
    ),
    "mle_bench": _list(
        """
            aerial-cactus-identification aptos2019-blindness-detection denoising-dirty-documents
            detecting-insults-in-social-commentary dog-breed-identification dogs-vs-cats-redux-kernels-edition
            histopathologic-cancer-detection jigsaw-toxic-comment-classification-challenge leaf-classification
            mlsp-2013-birds new-york-city-taxi-fare-prediction nomad2018-predict-transparent-conductors
            plant-pathology-2020-fgvc7 random-acts-of-pizza ranzcr-clip-catheter-line-classification
            siim-isic-melanoma-classification spooky-author-identification tabular-playground-series-dec-2021
            tabular-playground-series-may-2022 text-normalization-challenge-english-language
            text-normalization-challenge-russian-language the-icml-2013-whale-challenge-right-whale-redux
        """,
        uncertain="tabular-playground-series-* | text-normalization-challenge-*",
        source="MLE-bench lite, from memory",
    ),
    "natural_instructions": _list(
        """
            task001_quoref_question_generation task002_quoref_answer_generation
            task003_mctaco_question_generation_event_duration task004_mctaco_answer_generation_event_duration
            task005_mctaco_wrong_answer_generation_event_duration
            task006_mctaco_question_generation_transient_stationary
            task007_mctaco_answer_generation_transient_stationary
            task008_mctaco_wrong_answer_generation_transient_stationary
            task009_mctaco_question_generation_event_ordering task018_mctaco_temporal_reasoning_presence
            task019_mctaco_temporal_reasoning_category task020_mctaco_span_based_question
            task021_mctaco_grammatical_logical task022_cosmosqa_passage_inappropriate_binary
            task023_cosmosqa_question_generation task024_cosmosqa_answer_generation
            task025_cosmosqa_incorrect_answer_generation task026_drop_question_generation
            task027_drop_answer_type_generation task028_drop_answer_generation task029_winogrande_full_object
            task030_winogrande_full_person task031_winogrande_question_generation_object
            task032_winogrande_question_generation_person task033_winogrande_answer_generation
            task034_winogrande_question_modification_object task035_winogrande_question_modification_person
            task036_qasc_topic_word_to_generate_related_fact task037_qasc_generate_related_fact
            task038_qasc_combined_fact task039_qasc_find_overlapping_words task040_qasc_question_generation
            task041_qasc_answer_generation task042_qasc_incorrect_option_generation
            task043_essential_terms_answering_incomplete_questions task044_essential_terms_identifying_essential_words
        """,
        families="""
            task*_quoref_* | task*_mctaco_* | task*_cosmosqa_* | task*_drop_* | task*_winogrande_* | task*_qasc_* |
            task*_essential_terms_*
        """,
        source="Super-NaturalInstructions, the first tasks, from memory",
    ),
    "task_numbers": _list(
        """
            task1 task2 task3 task4 task5 task6 task7 task8 task9 task10 task11 task12 task13 task14 task15 task16
            task17 task18 task19 task20 task21 task22 task23 task24 task25 task26 task27 task28 task29 task30
        """,
        source="made: tasks that are only numbered",
    ),
    "moabb": _list(
        """
            AlexMI BNCI2014-001 BNCI2014-002 BNCI2014-004 BNCI2015-001 BNCI2015-004 Cho2017 GrosseWentrup2009 Lee2019-MI
            PhysionetMI Schirrmeister2017 Shin2017A Shin2017B Weibo2014 Zhou2016 BI2012 BI2013a BI2014a BI2014b BI2015a
            BI2015b BNCI2014-008 BNCI2014-009 BNCI2015-003 Cattan2019-VR DemonsP300 EPFLP300 Huebner2017 Huebner2018
            Lee2019-ERP Sosulski2019 Kalunga2016 Lee2019-SSVEP MAMEM1 MAMEM2 MAMEM3 Nakanishi2015 Wang2016
        """,
        families="Lee2019-* | Shin2017?",
        uncertain="MAMEM* | BI201* | Huebner*",
        source="MOABB, from memory; BNCI numbers are different studies",
    ),
    "eeg_subjects": _list(
        """
            BNCI2014-001/S01 BNCI2014-001/S02 BNCI2014-001/S03 BNCI2014-001/S04 BNCI2014-001/S05 BNCI2014-001/S06
            BNCI2014-001/S07 BNCI2014-001/S08 BNCI2014-001/S09 Zhou2016/S01 Zhou2016/S02 Zhou2016/S03 Zhou2016/S04
            Schirrmeister2017/S01 Schirrmeister2017/S02 Schirrmeister2017/S03 Schirrmeister2017/S04
            Schirrmeister2017/S05 Schirrmeister2017/S06 Schirrmeister2017/S07 Schirrmeister2017/S08
            Schirrmeister2017/S09 Schirrmeister2017/S10 Schirrmeister2017/S11 Schirrmeister2017/S12
            Schirrmeister2017/S13 Schirrmeister2017/S14 Weibo2014/S01 Weibo2014/S02 Weibo2014/S03 Weibo2014/S04
            Weibo2014/S05 Weibo2014/S06 Weibo2014/S07 Weibo2014/S08 Weibo2014/S09 Weibo2014/S10
        """,
        families="BNCI2014-001/* | Zhou2016/* | Schirrmeister2017/* | Weibo2014/*",
        source="subjects of four studies of MOABB (joined here), from memory",
    ),
    "subjects_only": _list(
        "S01 S02 S03 S04 S05 S06 S07 S08 S09 S10 S11 S12 S13 S14 S15 S16 S17 S18 S19 S20",
        uncertain="S*",
        source="made: subjects of one study, whose names alone do not tell it",
    ),
    "bakeoff_rest": _list(
        """
            AconityMINIPrinterLarge_eq AconityMINIPrinterSmall_eq AllGestureWiimoteX_eq AllGestureWiimoteY_eq
            AllGestureWiimoteZ_eq AsphaltObstaclesUni_eq AsphaltPavementTypeUni_eq AsphaltRegularityUni_eq Colposcopy
            Covid3Month_disc DodgerLoopDay_nmv DodgerLoopGame_nmv DodgerLoopWeekend_nmv ElectricDeviceDetection
            FloodModeling1_disc FloodModeling2_disc FloodModeling3_disc GestureMidAirD1_eq GestureMidAirD2_eq
            GestureMidAirD3_eq GesturePebbleZ1_eq GesturePebbleZ2_eq KeplerLightCurves MelbournePedestrian_nmv PLAID_eq
            PhoneHeartbeatSound PickupGestureWiimoteZ_eq ShakeGestureWiimoteZ_eq SharePriceIncrease Tools
        """,
        families="""
            AconityMINIPrinter* | AllGestureWiimote* | DodgerLoop* | FloodModeling* | GestureMidAir* | GesturePebble*
        """,
        uncertain="*GestureWiimote* | Asphalt*",
        source="known-answers/tsc_bakeoff2023, the 30 that are not in ucr_rist",
    ),
    "grinsztajn": _list(
        """
            electricity covertype pol house_16H kdd_ipums_la_97-small MagicTelescope bank-marketing phoneme MiniBooNE
            Higgs eye_movements jannis credit california wine cpu_act elevators isolet wine_quality Ailerons houses
            diamonds Brazilian_houses Bike_Sharing_Demand nyc-taxi-green-dec-2016 house_sales sulfur medical_charges
            MiamiHousing2016 superconduct fifa year yprop_4_1 abalone delays_zurich_transport
        """,
        uncertain="wine wine_quality | california houses",
        source="Grinsztajn et al. 2022, numerical features, from memory",
    ),
    "recbole": _list(
        """
            ml-100k ml-1m ml-10m ml-20m ml-25m amazon-books amazon-beauty amazon-electronics amazon-sports-outdoors
            amazon-toys-games yelp yelp2018 yelp2020 gowalla-merged lastfm lfm1b-tracks lfm1b-artists book-crossing
            jester netflix pinterest steam tmall-buy tmall-click yoochoose-buys yoochoose-clicks diginetica
            retailrocket-view retailrocket-addtocart epinions douban anime foursquare_NYC foursquare_TKY
        """,
        families="ml-* | yelp* | lfm1b-* | tmall-* | yoochoose-* | retailrocket-*",
        uncertain="amazon-* | lastfm lfm1b-* | foursquare_*",
        source="RecBole, from memory, spelling of some doubtful",
    ),
    "beir": _list(
        """
            msmarco trec-covid nfcorpus bioasq nq hotpotqa fiqa signal1m trec-news robust04 arguana webis-touche2020
            quora dbpedia-entity scidocs fever climate-fever scifact cqadupstack/android cqadupstack/english
            cqadupstack/gaming cqadupstack/gis cqadupstack/mathematica cqadupstack/physics cqadupstack/programmers
            cqadupstack/stats cqadupstack/tex cqadupstack/unix cqadupstack/webmasters cqadupstack/wordpress
        """,
        families="cqadupstack/*",
        uncertain="fever climate-fever",
        source="BEIR, with the parts of CQADupStack, from memory",
    ),
    "clip": _list(
        """
            Food101 CIFAR10 CIFAR100 Birdsnap SUN397 StanfordCars FGVCAircraft VOC2007 DTD OxfordPets Caltech101
            Flowers102 MNIST FER2013 STL10 EuroSAT RESISC45 GTSRB KITTI Country211 PCAM UCF101 Kinetics700 CLEVR
            HatefulMemes SST ImageNet ImageNet-V2 ImageNet-A ImageNet-R ImageNet-Sketch ObjectNet
        """,
        uncertain="CIFAR10 CIFAR100 | ImageNet*",
        source="CLIP, Radford et al. 2021, from memory",
    ),
    "open_asr": _list(
        "AMI; Earnings22; GigaSpeech; LS Clean; LS Other; SPGISpeech; Tedlium; Voxpopuli",
        families="LS Clean; LS Other",
        source="Open ASR leaderboard, from memory",
    ),
    "keel_folds": _list(
        """
            iris-10-1tst iris-10-2tst iris-10-3tst iris-10-4tst iris-10-5tst iris-10-6tst iris-10-7tst iris-10-8tst
            iris-10-9tst iris-10-10tst wine-10-1tst wine-10-2tst wine-10-3tst wine-10-4tst wine-10-5tst wine-10-6tst
            wine-10-7tst wine-10-8tst wine-10-9tst wine-10-10tst glass-10-1tst glass-10-2tst glass-10-3tst glass-10-4tst
            glass-10-5tst glass-10-6tst glass-10-7tst glass-10-8tst glass-10-9tst glass-10-10tst heart-10-1tst
            heart-10-2tst heart-10-3tst heart-10-4tst heart-10-5tst heart-10-6tst heart-10-7tst heart-10-8tst
            heart-10-9tst heart-10-10tst pima-10-1tst pima-10-2tst pima-10-3tst pima-10-4tst pima-10-5tst pima-10-6tst
            pima-10-7tst pima-10-8tst pima-10-9tst pima-10-10tst vehicle-10-1tst vehicle-10-2tst vehicle-10-3tst
            vehicle-10-4tst vehicle-10-5tst vehicle-10-6tst vehicle-10-7tst vehicle-10-8tst vehicle-10-9tst
            vehicle-10-10tst
        """,
        families="iris-10-* | wine-10-* | glass-10-* | heart-10-* | pima-10-* | vehicle-10-*",
        source="KEEL, files of ten folds, from memory",
    ),
    "baycomp": _list(
        """
            anneal audiology cleeland-14 cmc contact-lenses credit#1 credit#2 ecoli eucalyptus german-credit glass
            grub-damage haberman hayes-roth hepatitis hungarian-14 hypothyroid ionosphere iris kr-s-kp labor
            lier-disorders lymphography monks monks1 monks3 mushroom nursery optdigits owel page-blocks
            pasture-production pendigits pima-diabetes postoperatie primary-tumor segment solar-flare-C solar-flare-X
            solar-flare-m sonar soybean spambase spect-reordered splice squash-stored squash-unstored tae waveform
            white-clover wine wisconsin-breast-cancer yeast zoo
        """,
        families="monks monks1 monks3 | solar-flare-* | squash-*",
        uncertain="credit#1 credit#2 german-credit | cleeland-14 hungarian-14",
        source="known-answers/baycomp_accuracies_mean (lost letters are the file's)",
    ),
    "keel_noise": _list(
        """
            contraceptive-5an-nn contraceptive-5an-nc contraceptive-10an-nn contraceptive-10an-nc contraceptive-15an-nn
            contraceptive-15an-nc contraceptive-20an-nn contraceptive-20an-nc ecoli-5an-nn ecoli-5an-nc ecoli-10an-nn
            ecoli-10an-nc ecoli-15an-nn ecoli-15an-nc ecoli-20an-nn ecoli-20an-nc glass-5an-nn glass-5an-nc
            glass-10an-nn glass-10an-nc glass-15an-nn glass-15an-nc glass-20an-nn glass-20an-nc pima-5an-nn pima-5an-nc
            pima-10an-nn pima-10an-nc pima-15an-nn pima-15an-nc pima-20an-nn pima-20an-nc sonar-5an-nn sonar-5an-nc
            sonar-10an-nn sonar-10an-nc sonar-15an-nn sonar-15an-nc sonar-20an-nn sonar-20an-nc spambase-5an-nn
            spambase-5an-nc spambase-10an-nn spambase-10an-nc spambase-15an-nn spambase-15an-nc spambase-20an-nn
            spambase-20an-nc wine-5an-nn wine-5an-nc wine-10an-nn wine-10an-nc wine-15an-nn wine-15an-nc wine-20an-nn
            wine-20an-nc
        """,
        families="contraceptive-* | ecoli-* | glass-* | pima-* | sonar-* | spambase-* | wine-*",
        source="KEEL, attribute noise (pattern of names as published, selection from memory)",
    ),
    "dietterich_2000": _list(
        """
            sonar letter splice segment glass soybean autos satimage annealing krk heart-v heart-c breast-y phoneme
            voting vehicle lymph breast-w credit-g primary shuttle heart-s iris sick hepatitis credit-a waveform
            horse-colic heart-h labor krkp audiology hypo
        """,
        uncertain="heart-? | sick hypo",
        source="known-answers/seed_c45_ensembles (Dietterich 2000)",
    ),
    "sizes": _list(
        """
            adult_10 adult_20 adult_50 adult_100 covertype_10 covertype_20 covertype_50 covertype_100 higgs_10 higgs_20
            higgs_50 higgs_100 airlines_10 airlines_20 airlines_50 airlines_100 bank-marketing credit-g kc1
        """,
        families="adult_* | covertype_* | higgs_* | airlines_*",
        source="made: learning curves as rows (per cent of the data)",
    ),
    "xtreme": _list(
        """
            PAN-X.af PAN-X.ar PAN-X.bg PAN-X.bn PAN-X.de PAN-X.el PAN-X.en PAN-X.es PAN-X.et PAN-X.eu PAN-X.fa PAN-X.fi
            PAN-X.fr PAN-X.he PAN-X.hi PAN-X.hu PAN-X.id PAN-X.it PAN-X.ja PAN-X.jv PAN-X.ka PAN-X.kk PAN-X.ko PAN-X.ml
            PAN-X.mr PAN-X.ms PAN-X.my PAN-X.nl PAN-X.pt PAN-X.ru PAN-X.sw PAN-X.ta PAN-X.te PAN-X.th PAN-X.tl PAN-X.tr
            PAN-X.ur PAN-X.vi PAN-X.yo PAN-X.zh PAWS-X.de PAWS-X.en PAWS-X.es PAWS-X.fr PAWS-X.ja PAWS-X.ko PAWS-X.zh
            XQuAD.ar XQuAD.de XQuAD.el XQuAD.en XQuAD.es XQuAD.hi XQuAD.ru XQuAD.th XQuAD.tr XQuAD.vi XQuAD.zh bucc18.de
            bucc18.fr bucc18.ru bucc18.zh MLQA.ar.ar MLQA.de.de MLQA.en.en MLQA.es.es MLQA.hi.hi MLQA.vi.vi MLQA.zh.zh
            SQuAD XNLI tydiqa
        """,
        families="PAN-X.* | PAWS-X.* | XQuAD.* | bucc18.* | MLQA.*",
        uncertain="SQuAD XQuAD.*",
        source="XTREME, configurations, from memory",
    ),
    "holte_codes": _list(
        "IR LA LY MU SE SO VO VI",
        source="known-answers/seed_holte_accuracy (Holte 1993, two letters)",
    ),
    "kge": _list(
        """
            FB15k FB15k-237 WN18 WN18RR YAGO3-10 NELL-995 UMLS Kinship Nations Countries_S1 Countries_S2 Countries_S3
            CoDEx-S CoDEx-M CoDEx-L DBpedia50 Hetionet OpenBioLink
        """,
        families="FB15k* | WN18* | Countries_* | CoDEx-*",
        source="knowledge graphs, PyKEEN and others, from memory",
    ),
    "tsplib": _list(
        """
            a280 att48 berlin52 bier127 ch130 ch150 d198 d493 eil51 eil76 eil101 kroA100 kroB100 kroC100 kroD100 kroE100
            kroA150 kroB150 kroA200 kroB200 lin105 lin318 pr76 pr107 pr124 rat99 rat195 rat575 rd100 rd400 st70 ts225
            tsp225 u159
        """,
        uncertain="kro* | eil* | pr* | rat* | ch1?0 | lin* | rd* | d???",
        source="TSPLIB: one author's instances share letters, from memory",
    ),
    "tdc_admet": _list(
        """
            caco2_wang hia_hou pgp_broccatelli bioavailability_ma lipophilicity_astrazeneca solubility_aqsoldb
            bbb_martins ppbr_az vdss_lombardo cyp2c9_veith cyp2d6_veith cyp3a4_veith cyp2c9_substrate_carbonmangels
            cyp2d6_substrate_carbonmangels cyp3a4_substrate_carbonmangels half_life_obach clearance_hepatocyte_az
            clearance_microsome_az ld50_zhu herg ames dili
        """,
        families="*_veith | *_carbonmangels",
        uncertain="clearance_* | clearance_* ppbr_az lipophilicity_astrazeneca | cyp2c9_* | cyp2d6_* | cyp3a4_*",
        source="TDC ADMET group, from memory",
    ),
    "nasa_mdp": _list(
        "CM1 JM1 KC1 KC2 KC3 KC4 MC1 MC2 MW1 PC1 PC2 PC3 PC4 PC5",
        uncertain="KC? | MC? | PC?",
        source="NASA MDP defect data, from memory",
    ),
    "dmc": _list(
        """
            acrobot-swingup cartpole-balance cartpole-balance_sparse cartpole-swingup cartpole-swingup_sparse
            cheetah-run cup-catch finger-spin finger-turn_easy finger-turn_hard fish-swim hopper-hop hopper-stand
            humanoid-run humanoid-stand humanoid-walk pendulum-swingup quadruped-run quadruped-walk reacher-easy
            reacher-hard walker-run walker-stand walker-walk
        """,
        uncertain="cartpole-* | finger-* | hopper-* | humanoid-* | quadruped-* | reacher-* | walker-*",
        source="DeepMind Control Suite: one body, different tasks, from memory",
    ),
    "openml_multiclass": _list(
        """
            page-blocks robot-failures-lp1 mfeat-fourier jungle_chess_2pcs_raw_endgame_complete heart-switzerland
            gas-drift-different-concentrations wall-robot-navigation jungle_chess_2pcs_endgame_panther_elephant leaf
            PopularKids mfeat-karhunen diggle_table_a2 rmftsa_sleepdata semeion desharnais teachingAssistant collins
            volcanoes-a3 artificial-characters volcanoes-a4 glass nursery shuttle segment heart-long-beach
            vertebra-column cnae-9 jannis wine-quality-white vehicle ecoli eye_movements seeds car fabert breast-tissue
            thyroid-allbp gas-drift mfeat-factors volcanoes-d1 har satimage Fashion-MNIST seismic-bumps pokerhand helena
            thyroid-allhyper wine balance-scale microaggregation2 steel-plates-fault tae mfeat-pixel gina_prior2
            synthetic_control cmc energy-efficiency iris fars abalone prnn_viruses Indian_pines covertype JapaneseVowels
            user-knowledge spectrometer hayes-roth robot-failures-lp5 prnn_fglass waveform-5000 zoo cardiotocography
            mfeat-morphological volcanoes-a1 tamilnadu-electricity LED-display-domain-7digit
        """,
        families="""
            robot-failures-* | mfeat-* | volcanoes-* | jungle_chess_* | gas-drift* | thyroid-* | tae teachingAssistant |
            glass prnn_fglass
        """,
        uncertain="heart-*",
        source="a study of OpenML multi-class data, as listed in a public repository",
    ),
    "one_vs_rest": _list(
        """
            letter-a letter-b letter-c letter-d letter-e letter-f letter-g letter-h letter-i letter-j letter-k letter-l
            letter-m letter-n letter-o letter-p letter-q letter-r letter-s letter-t letter-u letter-v letter-w letter-x
            letter-y letter-z pendigits-0 pendigits-1 pendigits-2 pendigits-3 pendigits-4 pendigits-5 pendigits-6
            pendigits-7 pendigits-8 pendigits-9 credit-a credit-g breast-w kr-vs-kp iris
        """,
        families="letter-* | pendigits-*",
        source="made: one class against the rest as rows, beside whole data sets",
    ),
}

# Every second list is for looking at while a detector is written, the others are to judge it by. Some sources (mfeat,
# glass, M4) are in lists of both.
SEEN = {key: LISTS[key] for key in list(LISTS)[::2]}
UNSEEN = {key: LISTS[key] for key in list(LISTS)[1::2]}
