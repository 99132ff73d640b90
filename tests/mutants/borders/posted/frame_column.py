"""A column was renamed and asked for by its old name."""
import pandas as pd

sales = pd.DataFrame({"Price": [3.0, 4.5], "Units": [10, 20]})
sales = sales.rename(columns={"Price": "price"})
sales["total"] = sales["Price"] * sales["Units"]  # instead: sales["total"] = sales["price"] * sales["Units"]
print(sales)
