"""scikit-learn, as far as shapes survive it: numbers of samples and features. A name that is not here is Unknown."""
