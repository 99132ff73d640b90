"""A DCGAN: two modules, two optimizers, three backward passes per step."""
import torch
import torch.nn as nn
import torch.optim as optim
import torch.utils.data

nz, workers = 8, 0
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


def weights_init(m):
    if isinstance(m, nn.Linear):
        nn.init.normal_(m.weight, 0.0, 0.02)


class Generator(nn.Module):
    def __init__(self):
        super(Generator, self).__init__()
        self.main = nn.Sequential(nn.Linear(nz, 16), nn.BatchNorm1d(16), nn.ReLU(True), nn.Linear(16, 4))

    def forward(self, input):
        return self.main(input)


class Discriminator(nn.Module):
    def __init__(self):
        super(Discriminator, self).__init__()
        self.main = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1), nn.Sigmoid())

    def forward(self, input):
        return self.main(input).squeeze(1)


samples = torch.randn(256, 4, generator=torch.Generator().manual_seed(93)) * 0.3 + 1.0
dataloader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(samples), batch_size=24,
                                         shuffle=True, num_workers=workers)
netG = Generator().to(device)
netG.apply(weights_init)
netD = Discriminator().to(device)
netD.apply(weights_init)
criterion = nn.BCELoss()
fixed_noise = torch.randn(16, nz, device=device)
optimizerD = optim.Adam(netD.parameters(), lr=0.002, betas=(0.5, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=0.002, betas=(0.5, 0.999))

for epoch in range(3):
    for i, data in enumerate(dataloader, 0):
        netD.zero_grad()
        real = data[0].to(device)
        label = torch.full((real.size(0),), 1.0, device=device)
        errD_real = criterion(netD(real), label)
        errD_real.backward()
        fake = netG(torch.randn(real.size(0), nz, device=device))
        label.fill_(0.0)
        errD_fake = criterion(netD(fake.detach()), label)
        errD_fake.backward()
        optimizerD.step()

        netG.zero_grad()
        label.fill_(1.0)
        errG = criterion(netD(fake), label)
        errG.backward()
        optimizerG.step()
        if i % 4 == 0:
            print("[%d][%d] Loss_D: %.4f Loss_G: %.4f" % (epoch, i, (errD_real + errD_fake).item(), errG.item()))

    with torch.no_grad():
        fake = netG(fixed_noise).detach().cpu()
    torch.save(netG.state_dict(), "netG_epoch_%d.pth" % epoch)
    torch.save(netD.state_dict(), "netD_epoch_%d.pth" % epoch)
