"""Lots of error handling in plain beginner style: a shop inventory read from text."""

RAW = """
apple;3;0.5
pear;x;0.7
plum;10
kiwi;4;0.25
;1;1
apple;2;0.55
melon;-1;3.0
"""


class StockError(ValueError):
    def __init__(self, line_no, reason):
        ValueError.__init__(self, line_no, reason)
        self.line_no = line_no
        self.reason = reason


def parse_line(no, line):
    parts = line.split(";")
    if len(parts) != 3:
        raise StockError(no, "expected 3 fields, got %d" % len(parts))
    name, count, price = parts
    if not name:
        raise StockError(no, "empty name")
    try:
        count = int(count)
    except ValueError:
        raise StockError(no, "bad count: " + count)
    if count < 0:
        raise StockError(no, "negative count")
    return name, count, float(price)


def read(text):
    stock = {}
    errors = []
    line_no = 0
    for line in text.split("\n"):
        line_no += 1
        line = line.strip()
        if line == "":
            continue
        try:
            name, count, price = parse_line(line_no, line)
        except StockError as e:
            errors.append(e)
        else:
            if name in stock:
                old_count, old_price = stock[name]
                stock[name] = (old_count + count, max(price, old_price))
            else:
                stock[name] = count, price
    return stock, errors


def sell(stock, name, count=1):
    try:
        have, price = stock[name]
    except KeyError:
        return None
    if have < count:
        raise StockError(0, "only %d %ss left" % (have, name))
    if have == count:
        del stock[name]
    else:
        stock[name] = (have - count, price)
    return count * price


def average_price(stock):
    total = 0
    n = 0
    for name in stock:
        count, price = stock[name]
        total = total + count * price
        n = n + count
    try:
        return total / n
    except ZeroDivisionError:
        return 0


def first_cheaper(stock, limit):
    for name in sorted(stock):
        if stock[name][1] < limit:
            found = name
            break
    else:
        found = None
    return found


def menu(commands, stock):
    income = 0.0
    for command in commands:
        words = command.split()
        try:
            action = words[0]
            if action == "sell":
                amount = int(words[2]) if len(words) > 2 else 1
                got = sell(stock, words[1], amount)
                if got is None:
                    print("no", words[1])
                    continue
                income += got
                print("sold %s for %.2f" % (words[1], got))
            elif action == "list":
                for k, v in sorted(stock.items(), key=lambda kv: -kv[1][0]):
                    print("  {:<8}{:>3} at {:.2f}".format(k, *v))
            elif action == "quit":
                break
            else:
                raise NotImplementedError(action)
        except IndexError:
            print("incomplete command:", repr(command))
        except (ValueError, NotImplementedError) as e:
            print(type(e).__name__, "in", command, e.args)
        finally:
            last = command
    else:
        print("no quit seen")
    print("last command was", last)
    return income


stock, errors = read(RAW)
for e in errors:
    print("line %d: %s" % (e.line_no, e.reason))
assert set(stock) == {"apple", "kiwi"}, stock
print("average %.3f, cheap: %s, none: %s" % (average_price(stock), first_cheaper(stock, 0.3), first_cheaper(stock, 0)))
income = menu(["list", "sell apple 2", "sell pear", "sell kiwi 9", "sell", "", "dance", "sell kiwi x", "sell apple 3", "quit", "list"], stock)
print(round(income, 2), average_price({}), len(stock))
try:
    import nonexistent_shop_plugin as plugin
except ImportError:
    plugin = None
if plugin:
    plugin.install(stock)
