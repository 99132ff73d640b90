"""matplotlib.pyplot: every function reads its arguments; what it gives is a part of the drawing."""

from _pytrope import unknown


# Methods of figures and axes that read their arguments and change the drawing alone.
_METHODS = (
    "add_subplot annotate axhline axis axvline bar barh boxplot clear colorbar contour contourf errorbar "
    "fill fill_between grid hist imshow legend loglog margins matshow pcolormesh pie plot quiver savefig "
    "scatter semilogx semilogy stem step subplots_adjust suptitle text tick_params tight_layout violinplot"
).split()


class Drawing:
    """A figure or an axes. What is no method that draws (`ax.lines`) is not known."""

    def __getattr__(self, name):
        if name in _METHODS or name.startswith("set_"):
            return drawn
        return unknown("a part of a drawing")

    def __getitem__(self, key):
        return Drawing()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return None


def drawn(*args, **kwargs):
    return unknown("a part of a drawing")


def subplots(nrows=1, ncols=1, **kwargs):
    if nrows == 1 and ncols == 1:
        return Drawing(), Drawing()
    return Drawing(), unknown("several axes")


def figure(*args, **kwargs):
    return Drawing()


def gca(*args, **kwargs):
    return Drawing()


def gcf():
    return Drawing()


acorr = drawn
angle_spectrum = drawn
annotate = drawn
arrow = drawn
autoscale = drawn
axhline = drawn
axhspan = drawn
axis = drawn
axline = drawn
axvline = drawn
axvspan = drawn
bar = drawn
bar_label = drawn
barbs = drawn
barh = drawn
bone = drawn
box = drawn
boxplot = drawn
broken_barh = drawn
cla = drawn
clabel = drawn
clf = drawn
clim = drawn
close = drawn
cohere = drawn
colorbar = drawn
contour = drawn
contourf = drawn
cool = drawn
csd = drawn
delaxes = drawn
draw = drawn
ecdf = drawn
errorbar = drawn
eventplot = drawn
figimage = drawn
figlegend = drawn
figtext = drawn
fill = drawn
fill_between = drawn
fill_betweenx = drawn
get_cmap = drawn
grid = drawn
hexbin = drawn
hist = drawn
hist2d = drawn
hlines = drawn
imsave = drawn
imshow = drawn
ioff = drawn
ion = drawn
legend = drawn
locator_params = drawn
loglog = drawn
magnitude_spectrum = drawn
margins = drawn
matshow = drawn
minorticks_off = drawn
minorticks_on = drawn
pause = drawn
pcolor = drawn
pcolormesh = drawn
phase_spectrum = drawn
pie = drawn
plot = drawn
plot_date = drawn
polar = drawn
psd = drawn
quiver = drawn
quiverkey = drawn
rc = drawn
rgrids = drawn
savefig = drawn
sca = drawn
scatter = drawn
semilogx = drawn
semilogy = drawn
set_cmap = drawn
setp = drawn
show = drawn
specgram = drawn
spy = drawn
stackplot = drawn
stairs = drawn
stem = drawn
step = drawn
streamplot = drawn
subplot = drawn
subplot_tool = drawn
subplots_adjust = drawn
suptitle = drawn
switch_backend = drawn
table = drawn
text = drawn
thetagrids = drawn
tick_params = drawn
ticklabel_format = drawn
tight_layout = drawn
title = drawn
tricontour = drawn
tricontourf = drawn
tripcolor = drawn
triplot = drawn
twinx = drawn
twiny = drawn
violinplot = drawn
vlines = drawn
xcorr = drawn
xkcd = drawn
xlabel = drawn
xlim = drawn
xscale = drawn
xticks = drawn
ylabel = drawn
ylim = drawn
yscale = drawn
yticks = drawn
