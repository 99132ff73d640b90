"""Choreographies: the words to write them with, and what their projections run on.

``from pytrope.choreo import At, Ch2, Channel, Role`` is all that a choreography needs; a
program made by ``pytrope project`` uses the ends of ``local_channel``, ``connect`` or
``Listener`` and, where a result has parts at other roles, ``ELSEWHERE``.
"""

import sys

# The wheel installs on 3.9 for the program and the hints; here the reason comes before a traceback about `typing`.
if sys.version_info < (3, 11):  # noqa: UP036
    raise ImportError(f"pytrope.choreo needs Python 3.11 or newer, and this is {sys.version.split()[0]}")

from . import arrays as arrays
from . import payloads as payloads
from .aio import AsyncEndpoint as AsyncEndpoint
from .aio import AsyncListener as AsyncListener
from .aio import connect_async as connect_async
from .aio_simulation import async_channel as async_channel
from .aio_simulation import play_async as play_async
from .aio_simulation import run_roles_async as run_roles_async
from .attempt import AsyncAttempt as AsyncAttempt
from .attempt import Attempt as Attempt
from .census import MeshMember as MeshMember
from .census import StarCentre as StarCentre
from .census import StarMember as StarMember
from .census import mesh_channel as mesh_channel
from .census import star_channel as star_channel
from .codec import register as register
from .elsewhere import ELSEWHERE as ELSEWHERE
from .endpoint import Endpoint as Endpoint
from .errors import ChoreoError as ChoreoError
from .errors import ChoreographyMismatch as ChoreographyMismatch
from .errors import CountMismatch as CountMismatch
from .errors import DeadlineExceeded as DeadlineExceeded
from .errors import DecodeError as DecodeError
from .errors import ElsewhereError as ElsewhereError
from .errors import EncodeError as EncodeError
from .errors import FrameError as FrameError
from .errors import FrameTooLarge as FrameTooLarge
from .errors import KindMismatch as KindMismatch
from .errors import MissingExtra as MissingExtra
from .errors import PeerAborted as PeerAborted
from .errors import PeerEnded as PeerEnded
from .errors import PeerFailed as PeerFailed
from .errors import PeerGone as PeerGone
from .errors import ProtocolError as ProtocolError
from .errors import RoleFailed as RoleFailed
from .errors import SequenceError as SequenceError
from .errors import SessionMismatch as SessionMismatch
from .errors import SiteMismatch as SiteMismatch
from .errors import UnexpectedLabel as UnexpectedLabel
from .errors import WrongPeer as WrongPeer
from .frames import read_frame as read_frame
from .link import Link as Link
from .listener import Listener as Listener
from .listener import tcp_channel as tcp_channel
from .local import LocalEndpoint as LocalEndpoint
from .local import local_channel as local_channel
from .networks import Network as Network
from .networks import register_network as register_network
from .session import Session as Session
from .session import parse_address as parse_address
from .simulation import play as play
from .simulation import run_roles as run_roles
from .surface import At as At
from .surface import Ch as Ch
from .surface import Ch1 as Ch1
from .surface import Ch2 as Ch2
from .surface import Ch3 as Ch3
from .surface import Ch4 as Ch4
from .surface import Ch5 as Ch5
from .surface import Ch6 as Ch6
from .surface import Ch7 as Ch7
from .surface import Ch8 as Ch8
from .surface import Ch9 as Ch9
from .surface import Ch10 as Ch10
from .surface import Channel as Channel
from .surface import DiChannel as DiChannel
from .surface import Family as Family
from .surface import Mesh as Mesh
from .surface import On as On
from .surface import Role as Role
from .surface import Star as Star
from .surface import direct_channel as direct_channel
from .tcp import TcpEndpoint as TcpEndpoint
from .tcp import connect as connect
from .transport import FramedEndpoint as FramedEndpoint
from .transport import Transport as Transport
from .transport import open_end as open_end
