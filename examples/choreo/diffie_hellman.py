"""Diffie–Hellman key agreement: two messages, one secret that never travels."""

from pytrope.choreo import At, Ch, Channel, Role

# The 1536-bit group of RFC 3526: 2^1536 - 2^1472 - 1 + 2^64 * (floor(2^1406 * pi) + 741804).
PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74"
    "020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437"
    "4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05"
    "98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB"
    "9ED529077096966D670C354E4ABC9804F1746C08CA237327FFFFFFFFFFFFFFFF",
    16,
)
GENERATOR = 2


class DiffieHellman[A: Role, B: Role](Ch[A, B]):
    """Both roles end with the same number; each keeps its own secret."""

    def __init__(self, channel: Channel[int, A, B]) -> None:
        self.channel = channel

    def agree(self, secret_a: At[int, A], secret_b: At[int, B]) -> tuple[At[int, A], At[int, B]]:
        public_a: At[int, B] = self.channel.com(pow(GENERATOR, secret_a, PRIME))
        public_b: At[int, A] = self.channel.com(pow(GENERATOR, secret_b, PRIME))
        return pow(public_b, secret_a, PRIME), pow(public_a, secret_b, PRIME)
