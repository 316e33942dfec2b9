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
        source="OpenML-CC18",
    ),
    "medmnist": _list(
        """
            PathMNIST ChestMNIST DermaMNIST OCTMNIST PneumoniaMNIST RetinaMNIST BreastMNIST BloodMNIST TissueMNIST
            OrganAMNIST OrganCMNIST OrganSMNIST OrganMNIST3D NoduleMNIST3D AdrenalMNIST3D FractureMNIST3D VesselMNIST3D
            SynapseMNIST3D
        """,
        families="OrganAMNIST OrganCMNIST OrganSMNIST OrganMNIST3D",
        source="MedMNIST v2",
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
        source="VTAB-1k, short names of its tables",
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
        source="GLUE",
    ),
    "xnli": _list(
        """
            xnli_ar xnli_bg xnli_de xnli_el xnli_en xnli_es xnli_fr xnli_hi xnli_ru xnli_sw xnli_th xnli_tr xnli_ur
            xnli_vi xnli_zh
        """,
        families="xnli_*",
        source="XNLI, lm-evaluation-harness",
    ),
    "superglue": _list(
        "BoolQ CB COPA MultiRC ReCoRD RTE WiC WSC AX-b AX-g",
        uncertain="AX-b AX-g",
        source="SuperGLUE",
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
        families="paws_* | xcopa_* | xstorycloze_* | xwinograd_* | lambada_* | mgsm_*",
        source="lm-evaluation-harness, multilingual tasks",
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
        source="Monash archive, file names (aeon)",
    ),
    "mujoco": _list(
        """
            Ant-v4 HalfCheetah-v4 Hopper-v4 Humanoid-v4 HumanoidStandup-v4 InvertedDoublePendulum-v4 InvertedPendulum-v4
            Pusher-v4 Reacher-v4 Swimmer-v4 Walker2d-v4
        """,
        uncertain="Humanoid-v4 HumanoidStandup-v4 | InvertedPendulum-v4 InvertedDoublePendulum-v4",
        source="Gymnasium MuJoCo",
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
        source="D4RL",
    ),
    "bbob": _list(
        "f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24",
        source="BBOB, functions 1 to 24",
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
        source="LIBSVM, binary data sets",
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
        source="Atari 57, names of Gym",
    ),
    "moa_streams": _list(
        "LED_a LED_g SEA_a SEA_g AGR_a AGR_g RTG RBF_m RBF_f HYPER AIRL ELEC COVT GMSC KDD99 SPAM",
        families="LED_? | SEA_? | AGR_? | RBF_?",
        source="Gomes et al. 2017, adaptive random forests",
    ),
    "ogb": _list(
        """
            ogbn-products ogbn-proteins ogbn-arxiv ogbn-papers100M ogbn-mag ogbl-ppa ogbl-collab ogbl-ddi ogbl-citation2
            ogbl-wikikg2 ogbl-biokg ogbl-vessel ogbg-molhiv ogbg-molpcba ogbg-ppa ogbg-code2
        """,
        uncertain="""
            ogbn-arxiv ogbn-papers100M ogbn-mag ogbl-citation2 ogbl-collab | ogbl-ppa ogbg-ppa ogbn-proteins | ogbg-mol*
        """,
        source="Open Graph Benchmark",
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
        source="DomainBed, columns of its tables under the name of the table (joined here)",
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
        source="torchvision.datasets",
    ),
    "moleculenet": _list(
        """
            tox21_NR-AR tox21_NR-AR-LBD tox21_NR-AhR tox21_NR-Aromatase tox21_NR-ER tox21_NR-ER-LBD tox21_NR-PPAR-gamma
            tox21_SR-ARE tox21_SR-ATAD5 tox21_SR-HSE tox21_SR-MMP tox21_SR-p53 MUV-466 MUV-548 MUV-600 MUV-644 MUV-652
            MUV-689 MUV-692 MUV-712 MUV-713 MUV-733 MUV-737 MUV-810 MUV-832 MUV-846 MUV-852 MUV-858 MUV-859
            ClinTox_FDA_APPROVED ClinTox_CT_TOX ESOL FreeSolv Lipophilicity HIV BACE BBBP
        """,
        families="tox21_* | MUV-* | ClinTox_*",
        source="MoleculeNet, tasks as rows",
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
        source="Larochelle et al. 2007",
    ),
    "llm": _list(
        """
            ARC-Easy ARC-Challenge HellaSwag MMLU MMLU-Pro WinoGrande PIQA SIQA BoolQ OpenBookQA CommonsenseQA
            TruthfulQA TriviaQA NaturalQuestions RACE-m RACE-h GSM8K MATH HumanEval HumanEval+ MBPP MBPP+ BBH DROP GPQA
            IFEval AGIEval LAMBADA SQuAD QuAC CoQA
        """,
        families="HumanEval HumanEval+ | MBPP MBPP+",
        uncertain="ARC-* | MMLU MMLU-Pro | RACE-*",
        source="tables of language models, usual names",
    ),
}

# Every second list is for looking at while a detector is written, the others are to judge it by.
SEEN = {key: LISTS[key] for key in list(LISTS)[::2]}
UNSEEN = {key: LISTS[key] for key in list(LISTS)[1::2]}
