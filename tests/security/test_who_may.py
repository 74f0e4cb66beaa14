"""Who gets what from every address of the site: the tables below are what is asked of it."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from games.matches.models import Match
from games.review.exports import some_lines
from tests.security import world
from tests.undoing import undone

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

# A number is the status of the answer; `in` and `up` lead to the pages where one signs in or up; `done` leads on to
# another page, and something has changed; `back` leads on, and nothing has; `204+` has changed something too. What
# stands here in no row is 405 for everybody. A match is open, running, running with nobody to watch, finished, aborted.

PAGES = """
                                                     anonymous
                                                     |    guest
                                                     |    |    outsider
                                                     |    |    |    elsewhere
                                                     |    |    |    |    player
                                                     |    |    |    |    |    host
                                                     |    |    |    |    |    |    steward
GET  (home)                                          200  200  200  200  200  200  200
GET  favicon.ico                                     back back back back back back back
GET  robots.txt                                      200  200  200  200  200  200  200
GET  manifest.webmanifest                            200  200  200  200  200  200  200
GET  licence                                         200  200  200  200  200  200  200
GET  privacy                                         200  200  200  200  200  200  200
GET  terms                                           200  200  200  200  200  200  200
GET  status                                          200  200  200  200  200  200  200
GET  sign-up                                         200  200  back back back back back
POST sign-up                                         done done back back back back back
GET  sign-in                                         200  200  back back back back back
POST sign-in                                         done done back back back back back
POST sign-out                                        back back back back back back back
POST guest                                           done back back back back back back
GET  account                                         in   200  200  200  200  200  200
POST account/play                                       in   done done done done done done
POST account/look                                    in   done done done done done done
POST account/theme                                   204  204+ 204+ 204+ 204+ 204+ 204+
POST account/dates                                   in   done done done done done done
POST account/self                                    in   up   done done done done done
POST account/language                                back done done done done done done
GET  @/<str:username>                                200  200  200  200  200  200  200
GET  @/<str:username>/games                          200  200  200  200  200  200  200
GET  @/<str:username>/report                         in   up   200  200  200  200  200
POST @/<str:username>/report                         in   up   done done done done done
POST @/<str:username>/block                          in   up   done done done done done
POST @/<str:username>/follow                         in   up   done done done done done
GET  @/<str:username>/challenge                      in   up   200  200  200  200  200
POST @/<str:username>/challenge                      in   up   done done done done done
GET  following                                       in   up   200  200  200  200  200
GET  messages                                        in   up   200  200  200  200  200
GET  messages/<str:username>                         in   up   200  200  200  200  200
POST messages/<str:username>                         in   up   done done done done done
POST messages/<str:username>/delete                  in   up   back back back done back
GET  find                                            back back back back back back back
GET  leaders                                         200  200  200  200  200  200  200
GET  leaders/alone                                   200  200  200  200  200  200  200
POST account/email                                   in   up   done done done done done
POST account/email/again                             in   up   back back back back back
POST account/email/forget                            in   up   back back back back back
GET  account/confirm/<str:uid>/<str:token>           200  200  200  200  200  200  200
POST account/confirm/<str:uid>/<str:token>           done done done done done done done
POST account/password                                in   up   done done done done done
POST account/sessions                                in   up   back back back back back
POST account/close                                   in   up   done done done done done
POST account/keep                                    in   up   back back back back back
GET  account/forgot                                  200  200  200  200  200  200  200
POST account/forgot                                  200  200  200  200  200  200  200
GET  account/reset/<str:uid>/<str:token>             200  200  200  200  200  200  200
POST account/reset/<str:uid>/<str:token>             in+  in+  in+  in+  in+  in+  in+
GET  play                                            200  200  200  200  200  200  200
GET  play/news                                       200  200  200  200  200  200  200
POST play/new                                        up   up   done done done done done
POST play/friend                                     done back done done done done done
POST play/quick                                      up   up   done done done done done
POST play/quick/stop                                 up   up   back back back back back
POST play/bots                                       done back done done done done done
POST play/alone                                      done back done done done done done
GET  play/another                                    back back back back back back back
POST play/guided                                     done back done done done done done
GET  hand                                            200  200  200  200  200  200  200
POST hand/tell                                       up   up   done done done done done
GET  hand/<slug:game>/<str:day>                      200  200  200  200  200  200  200
POST hand/<slug:game>/<str:day>/play                 done back done done done done done
GET  again                                           up   up   200  200  200  200  200
POST again/switch                                    up   up   done done done done done
GET  again/<int:number>                              404  404  404  404  404  404  404
POST again/<int:number>/answer                       404  404  404  404  done 404  404
POST again/<int:number>/later                        404  404  404  404  done 404  404
POST again/<int:number>/out                          404  404  404  404  done 404  404
GET  puzzle                                          200  200  200  200  200  200  200
POST puzzle                                          200  200  200  200  200  200  200
GET  bots                                            200  200  200  200  200  200  200
GET  rules                                           200  200  200  200  200  200  200
GET  rules/<slug:game>                               200  200  200  200  200  200  200
GET  rules/<slug:game>/cards                         200  200  200  200  200  200  200
GET  notices                                         in   up   200  200  200  200  200
GET  notices/<int:number>                            in   up   404  404  404  back 404
GET  unsubscribe/<str:uid>/<str:topic>/<str:signature>  200  200  200  200  200  200  200
POST unsubscribe/<str:uid>/<str:topic>/<str:signature>  200+ 200+ 200+ 200+ 200+ 200+ 200+
GET  uninvited/<str:digest>/<str:signature>          200  200  200  200  200  200  200
POST uninvited/<str:digest>/<str:signature>          200+ 200+ 200+ 200+ 200+ 200+ 200+
POST notices/seen                                    in   up   back back back back back
POST account/told                                    in   up   done done done done done
POST account/calendar                                in   up   done done done done done
GET  calendar/<str:token>.ics                        200  200  200  200  200  200  200
GET  watch                                           200  200  200  200  200  200  200
GET  @/<str:username>/games.jsonl                    200  200  200  200  200  200  200
GET  log                                             200  200  200  200  200  200  200
GET  log/heads.json                                  200  200  200  200  200  200  200
GET  log/heads/<str:written>.json                    200  200  200  200  200  200  200
GET  log/hashes/<int:page>.txt                       200  200  200  200  200  200  200
GET  log/consistency/<int:old>/<int:new>.json        200  200  200  200  200  200  200
GET  log/feed.atom                                   200  200  200  200  200  200  200
GET  clubs                                           200  200  200  200  200  200  200
GET  clubs/new                                       up   up   200  200  200  200  200
POST clubs/new                                       up   up   done done done done done
GET  c/<str:slug>                                    200  200  200  200  200  200  200
GET  c/<str:slug>/members                            200  200  200  200  200  200  200
GET  c/<str:slug>/members.csv                        up   up   404  200  200  200  404
GET  c/<str:slug>/members/print                      up   up   404  200  200  200  404
GET  c/<str:slug>/feed.atom                          200  200  200  200  200  200  200
GET  c/<str:slug>/feed.json                          200  200  200  200  200  200  200
GET  c/<str:slug>/feed/<str:token>.atom              200  200  200  200  200  200  200
GET  c/<str:slug>/feed/<str:token>.json              200  200  200  200  200  200  200
GET  c/<str:slug>/feeds                              200  200  200  200  200  200  200
POST c/<str:slug>/feeds/token                       up   up   404  done done done 404
GET  c/<str:slug>/desk/webhooks                      in   up   404  404  404  200  404
POST c/<str:slug>/desk/webhooks/new                  in   up   404  404  404  done 404
POST c/<str:slug>/desk/webhooks/<int:number>/test    in   up   404  404  404  done 404
POST c/<str:slug>/desk/webhooks/<int:number>/remove  in   up   404  404  404  done 404
GET  c/<str:slug>/calendar                          200  200  200  200  200  200  200
GET  c/<str:slug>/calendar.ics                      200  200  200  200  200  200  200
GET  c/<str:slug>/calendar/new                      in   up   404  404  404  200  404
POST c/<str:slug>/calendar/new                      in   up   404  404  404  done 404
GET  c/<str:slug>/calendar/new/comes-to             in   up   404  404  404  404  404
GET  c/<str:slug>/calendar/<int:number>             404  404  404  200  200  200  404
POST c/<str:slug>/calendar/<int:number>/answer      up   up   404  done done done 404
GET  c/<str:slug>/calendar/<int:number>/change      404  404  404  404  404  200  404
POST c/<str:slug>/calendar/<int:number>/change      404  404  404  404  404  done 404
POST c/<str:slug>/calendar/<int:number>/open        in   up   404  404  404  back 404
POST c/<str:slug>/calendar/<int:number>/cancel      404  404  404  404  404  done 404
POST c/<str:slug>/join                               up   up   done back back back done
POST c/<str:slug>/decline                            up   up   back back back back back
POST c/<str:slug>/leave                              up   up   back done done done back
POST c/<str:slug>/seating                            up   up   back done done done back
GET  c/<str:slug>/invited/<str:token>                200  200  200  back back back 200
POST c/<str:slug>/invited/<str:token>                up   up   done back back back done
GET  invited/<str:token>                             200  200  200  back back back 200
POST invited/<str:token>                             up   up   done back back back done
GET  c/<str:slug>/history.json                       up   up   404  404  404  404  404
GET  c/<str:slug>/former                             up   up   404  404  404  404  404
GET  c/<str:slug>/log                                up   up   404  200  200  200  404
GET  c/<str:slug>/desk                               in   up   404  404  404  200  404
POST c/<str:slug>/desk/club                          in   up   404  404  404  done 404
POST c/<str:slug>/desk/invite                        in   up   404  404  404  200+ 404
POST c/<str:slug>/desk/link                          in   up   404  404  404  done 404
GET  c/<str:slug>/desk/poster                        in   up   404  404  404  200  404
POST c/<str:slug>/desk/mailed/<int:number>           in   up   404  404  404  done 404
POST c/<str:slug>/desk/announce                      in   up   404  404  404  done 404
POST c/<str:slug>/desk/withdraw/<int:number>         in   up   404  404  404  done 404
POST c/<str:slug>/desk/approve/<str:username>        in   up   404  404  404  done 404
POST c/<str:slug>/desk/reject/<str:username>         in   up   404  404  404  done 404
POST c/<str:slug>/desk/appoint/<str:username>        in   up   404  404  404  done 404
POST c/<str:slug>/desk/dismiss/<str:username>        in   up   404  404  404  done 404
GET  c/<str:slug>/desk/rights/<str:username>         in   up   404  404  404  200  404
POST c/<str:slug>/desk/rights/<str:username>         in   up   404  404  404  done 404
GET  c/<str:slug>/desk/expel/<str:username>          in   up   404  404  404  200  404
POST c/<str:slug>/desk/expel/<str:username>          in   up   404  404  404  done 404
GET  c/<str:slug>/desk/hand-over                     in   up   404  404  404  200  404
POST c/<str:slug>/desk/hand-over                     in   up   404  404  404  422  404
POST c/<str:slug>/desk/hand-over/back                in   up   404  404  404  back 404
POST c/<str:slug>/hand-over/accept                   up   up   back back back back back
POST c/<str:slug>/hand-over/decline                  up   up   back back back back back
GET  c/<str:slug>/desk/close                         in   up   404  404  404  200  404
POST c/<str:slug>/desk/close                         in   up   404  404  404  422  404
POST c/<str:slug>/reopen                             up   up   back back back back back
POST c/<str:slug>/desk/readmit/<str:username>        in   up   404  404  404  done 404
GET  c/<str:slug>/tournaments                        200  200  200  200  200  200  200
GET  c/<str:slug>/board                              up   up   404  200  200  200  404
POST c/<str:slug>/board/post                         up   up   404  done done done 404
POST c/<str:slug>/board/<int:number>/delete          up   up   404  back done done 404
POST c/<str:slug>/desk/arms                          in   up   404  404  404  done 404
GET  c/<str:slug>/tournaments/<int:number>           200  200  200  200  200  200  200
GET  c/<str:slug>/tournaments/<int:number>/wall      200  200  200  200  200  200  200
GET  c/<str:slug>/tournaments/<int:number>/print         200  200  200  200  200  200  200
GET  c/<str:slug>/tournaments/<int:number>/results.trf   404  404  404  404  404  404  404
POST c/<str:slug>/tournaments/<int:number>/enter     up   back back done done back back
POST c/<str:slug>/tournaments/<int:number>/leave     up   back back back back done back
GET  c/<str:slug>/tournaments/<int:number>/come/<str:token>  200  200  200  200  200  200  200
POST c/<str:slug>/tournaments/<int:number>/come/<str:token>  done done done done done back done
POST c/<str:slug>/tournaments/<int:number>/decline   up   back back done done back back
POST c/<str:slug>/tournaments/<int:number>/pause     up   back back back back back back
POST c/<str:slug>/tournaments/<int:number>/ready     up   back back back back back back
POST c/<str:slug>/tournaments/<int:number>/teams/choose  up  back  back  back  back  back  back
POST c/<str:slug>/tournaments/<int:number>/teams/up  up  back  back  back  back  back  back
POST c/<str:slug>/tournaments/<int:number>/teams/make    up  up  404  404  404  back  404
POST c/<str:slug>/tournaments/<int:number>/teams/remove  up  up  404  404  404  back  404
POST c/<str:slug>/tournaments/<int:number>/tick      up   up   404  404  404  done 404
POST c/<str:slug>/tournaments/<int:number>/untick    up   up   404  404  404  done 404
POST c/<str:slug>/tournaments/<int:number>/names     up   up   404  404  404  back 404
POST c/<str:slug>/tournaments/<int:number>/guest     up   up   404  404  404  back 404
POST c/<str:slug>/tournaments/<int:number>/link      up   up   404  404  404  done 404
POST c/<str:slug>/tournaments/<int:number>/seat      up   up   404  404  404  done 404
POST c/<str:slug>/tournaments/<int:number>/begin     up   up   404  404  404  back 404
POST c/<str:slug>/tournaments/<int:number>/next      up   up   404  404  404  back 404
POST c/<str:slug>/tournaments/<int:number>/last      up   up   404  404  404  back 404
POST c/<str:slug>/tournaments/<int:number>/close     up   up   404  404  404  done 404
GET  c/<str:slug>/tournaments/<int:number>/pair      up   up   404  404  404  404  404
POST c/<str:slug>/tournaments/<int:number>/pair      up   up   404  404  404  422  404
POST c/<str:slug>/tournaments/<int:number>/bye       up   back back back back back back
POST c/<str:slug>/tournaments/<int:number>/count     up   up   404  404  404  back 404
GET  c/<str:slug>/tournaments/<int:number>/results.csv  200  200  200  200  200  200  200
GET  c/<str:slug>/tournaments/<int:number>/result/<int:round_number>/<int:table>  up  404  404  404  404  404  404
POST c/<str:slug>/tournaments/<int:number>/result/<int:round_number>/<int:table>  up  404  404  404  404  404  404
POST c/<str:slug>/tournaments/<int:number>/answer/<int:round_number>/<int:table>  up  back  back  back  back  back  back
GET  c/<str:slug>/tournaments/<int:number>/correct/<int:round_number>/<int:table>  up  up  404  404  404  200  404
POST c/<str:slug>/tournaments/<int:number>/correct/<int:round_number>/<int:table>  up  up  404  404  404  done 404
GET  c/<str:slug>/ladders                                               200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/new                                           up   up   404  404  404  200  404
POST c/<str:slug>/ladders/new                                           up   up   404  404  404  done 404
GET  c/<str:slug>/ladders/<int:number>                             200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/rules                       200  200  200  200  200  200  200
POST c/<str:slug>/ladders/<int:number>/join                        up   up   back done back back back
POST c/<str:slug>/ladders/<int:number>/leave                       up   up   back back done done back
POST c/<str:slug>/ladders/<int:number>/vacation                    up   up   422  422  done done 422
POST c/<str:slug>/ladders/<int:number>/back                        up   up   back back back back back
GET  c/<str:slug>/ladders/<int:number>/challenge                   up   up   200  200  200  200  200
POST c/<str:slug>/ladders/<int:number>/challenge                   up   up   422  422  done 422  422
GET  c/<str:slug>/ladders/<int:number>/challenges/<int:pk>         200  200  200  200  200  200  200
POST c/<str:slug>/ladders/<int:number>/challenges/<int:pk>/accept  up   up   back back back done back
POST c/<str:slug>/ladders/<int:number>/challenges/<int:pk>/decline up   up   back back back done back
POST c/<str:slug>/ladders/<int:number>/challenges/<int:pk>/withdraw up  up   back back done back back
POST c/<str:slug>/ladders/<int:number>/challenges/<int:pk>/counter up   up   422  422  422  done 422
POST c/<str:slug>/ladders/<int:number>/challenges/<int:pk>/table   up   up   back back back back back
GET  c/<str:slug>/ladders/<int:number>/table                       up   up   200  200  200  200  200
POST c/<str:slug>/ladders/<int:number>/table                       up   up   422  422  422  done 422
GET  c/<str:slug>/ladders/<int:number>/table/<int:pk>              up   up   404  404  200  200  404
POST c/<str:slug>/ladders/<int:number>/table/<int:pk>/confirm      up   up   404  404  done back 404
POST c/<str:slug>/ladders/<int:number>/table/<int:pk>/dispute      up   up   404  404  done back 404
POST c/<str:slug>/ladders/<int:number>/table/<int:pk>/withdraw     up   up   404  404  back back 404
POST c/<str:slug>/ladders/<int:number>/table/<int:pk>/decide       up   up   404  404  404  back 404
POST c/<str:slug>/ladders/<int:number>/table/<int:pk>/ask          up   up   404  404  back back 404
GET  c/<str:slug>/ladders/<int:number>/history                      200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/player/<str:username>       200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/head-to-head                200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/cross-table                 200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/seasons                     200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/seasons/<int:season>        200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/seasons/<int:season>.zip    200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/seasons/<int:season>/print  200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/print                       200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/embed                       200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/proof.json                  200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/results.csv                 200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/results.json                200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/seasons/<int:season>.csv    200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/seasons/<int:season>.json   200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>.csv                         200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>.json                        200  200  200  200  200  200  200
GET  c/<str:slug>/ladders/<int:number>/desk                        in   up   404  404  404  200  404
GET  c/<str:slug>/ladders/<int:number>/desk/rules                  in   up   404  404  404  200  404
GET  c/<str:slug>/ladders/<int:number>/desk/order                  in   up   404  404  404  200  404
GET  c/<str:slug>/ladders/<int:number>/desk/undo/<int:event>      in   up   404  404  404  200  404
GET  c/<str:slug>/ladders/<int:number>/desk/season                 in   up   404  404  404  200  404
POST c/<str:slug>/ladders/<int:number>/desk/season                 in   up   404  404  404  done 404
POST c/<str:slug>/ladders/<int:number>/desk/name                        in   up   404  404  404  done 404
POST c/<str:slug>/ladders/<int:number>/desk/close                       in   up   404  404  404  422  404
POST c/<str:slug>/ladders/<int:number>/desk/correct                in   up   404  404  404  done 404
POST c/<str:slug>/ladders/<int:number>/desk/add                    in   up   404  404  404  done 404
POST c/<str:slug>/ladders/<int:number>/desk/rules                  in   up   404  404  404  done 404
POST c/<str:slug>/ladders/<int:number>/desk/order                  in   up   404  404  404  done 404
POST c/<str:slug>/ladders/<int:number>/desk/undo/<int:event>      in   up   404  404  404  done 404
"""

TABLES = """
                                                     anonymous
                                                     |    guest
                                                     |    |    outsider
                                                     |    |    |    elsewhere
                                                     |    |    |    |    player
                                                     |    |    |    |    |    host
                                                     |    |    |    |    |    |    steward
POST m/<str:key>/join                     open       up   up   done done back back done
POST m/<str:key>/join                     running    up   up   back back back back back
POST m/<str:key>/join                     unwatched  up   up   404  404  back back 404
POST m/<str:key>/join                     finished   up   up   back back back back back
POST m/<str:key>/join                     aborted    up   up   back back back back back
POST m/<str:key>/invitation               open       up   up   done back back back back
POST m/<str:key>/invitation               running    up   up   back back back back back
POST m/<str:key>/invitation               unwatched  up   up   404  404  back back 404
POST m/<str:key>/invitation               finished   up   up   back back back back back
POST m/<str:key>/invitation               aborted    up   up   back back back back back
POST m/<str:key>/ready                    open       up   up   back back done back back
POST m/<str:key>/ready                    running    up   up   back back back back back
POST m/<str:key>/ready                    unwatched  up   up   404  404  back back 404
POST m/<str:key>/ready                    finished   up   up   back back back back back
POST m/<str:key>/ready                    aborted    up   up   back back back back back
POST m/<str:key>/stand                    open       up   up   back back done done back
POST m/<str:key>/stand                    running    up   up   back back back back back
POST m/<str:key>/stand                    unwatched  up   up   404  404  back back 404
POST m/<str:key>/stand                    finished   up   up   back back back back back
POST m/<str:key>/stand                    aborted    up   up   back back back back back
POST m/<str:key>/kick                     open       up   up   back back back done back
POST m/<str:key>/kick                     running    up   up   back back back back back
POST m/<str:key>/kick                     unwatched  up   up   404  404  back back 404
POST m/<str:key>/kick                     finished   up   up   back back back back back
POST m/<str:key>/kick                     aborted    up   up   back back back back back
POST m/<str:key>/bot                      open       up   up   back back back done back
POST m/<str:key>/bot                      running    up   up   back back back back back
POST m/<str:key>/bot                      unwatched  up   up   404  404  back back 404
POST m/<str:key>/bot                      finished   up   up   back back back back back
POST m/<str:key>/bot                      aborted    up   up   back back back back back
POST m/<str:key>/shuffle                  open       404  404  404  404  done done 404
POST m/<str:key>/shuffle                  running    404  404  404  404  back back 404
POST m/<str:key>/shuffle                  unwatched  404  404  404  404  back back 404
POST m/<str:key>/shuffle                  finished   404  404  404  404  back back 404
POST m/<str:key>/shuffle                  aborted    404  404  404  404  back back 404
POST m/<str:key>/rematch                  open       404  404  404  404  404  404  404
POST m/<str:key>/rematch                  running    404  404  404  404  409  409  404
POST m/<str:key>/rematch                  unwatched  404  404  404  404  409  409  404
POST m/<str:key>/rematch                  finished   404  404  404  404  done done 404
POST m/<str:key>/rematch                  aborted    404  404  404  404  done done 404
GET  m/<str:key>                          open       200  200  200  200  200  200  200
GET  m/<str:key>                          running    200  200  200  200  200  200  200
GET  m/<str:key>                          unwatched  404  404  404  404  200  200  404
GET  m/<str:key>                          finished   200  200  200  200  200  200  200
GET  m/<str:key>                          aborted    200  200  200  200  200  200  200
GET  m/<str:key>/board                    open       404  404  404  404  404  404  404
GET  m/<str:key>/board                    running    200  200  200  200  200  200  200
GET  m/<str:key>/board                    unwatched  404  404  404  404  200  200  404
GET  m/<str:key>/board                    finished   200  200  200  200  200  200  200
GET  m/<str:key>/board                    aborted    200  200  200  200  200  200  200
GET  m/<str:key>/receipt.json             open       404  404  404  404  404  404  404
GET  m/<str:key>/receipt.json             running    200  200  200  200  200  200  200
GET  m/<str:key>/receipt.json             unwatched  404  404  404  404  200  200  404
GET  m/<str:key>/receipt.json             finished   200  200  200  200  200  200  200
GET  m/<str:key>/receipt.json             aborted    200  200  200  200  200  200  200
POST m/<str:key>/play                     open       in   404  404  404  404  404  404
POST m/<str:key>/play                     running    in   404  404  404  done 409  404
POST m/<str:key>/play                     unwatched  in   404  404  404  done 409  404
POST m/<str:key>/play                     finished   in   404  404  404  409  409  404
POST m/<str:key>/play                     aborted    in   404  404  404  409  409  404
POST m/<str:key>/resign                   open       in   404  404  404  404  404  404
POST m/<str:key>/resign                   running    in   404  404  404  done done 404
POST m/<str:key>/resign                   unwatched  in   404  404  404  done done 404
POST m/<str:key>/resign                   finished   in   404  404  404  409  409  404
POST m/<str:key>/resign                   aborted    in   404  404  404  409  409  404
POST m/<str:key>/begin                    open       in   404  404  404  404  404  404
POST m/<str:key>/begin                    running    in   404  404  404  back back 404
POST m/<str:key>/begin                    unwatched  in   404  404  404  back back 404
POST m/<str:key>/begin                    finished   in   404  404  404  back back 404
POST m/<str:key>/begin                    aborted    in   404  404  404  back back 404
POST m/<str:key>/tempo                    open       in   404  404  404  404  404  404
POST m/<str:key>/tempo                    running    in   404  404  404  409  409  404
POST m/<str:key>/tempo                    unwatched  in   404  404  404  409  409  404
POST m/<str:key>/tempo                    finished   in   404  404  404  409  409  404
POST m/<str:key>/tempo                    aborted    in   404  404  404  409  409  404
POST m/<str:key>/skip                     open       in   404  404  404  404  404  404
POST m/<str:key>/skip                     running    in   404  404  404  409  409  404
POST m/<str:key>/skip                     unwatched  in   404  404  404  409  409  404
POST m/<str:key>/skip                     finished   in   404  404  404  409  409  404
POST m/<str:key>/skip                     aborted    in   404  404  404  409  409  404
POST m/<str:key>/hint                     open       in   404  404  404  404  404  404
POST m/<str:key>/hint                     running    in   409  409  409  409  409  409
POST m/<str:key>/hint                     unwatched  in   404  404  404  409  409  404
POST m/<str:key>/hint                     finished   in   409  409  409  409  409  409
POST m/<str:key>/hint                     aborted    in   409  409  409  409  409  409
POST m/<str:key>/vote                     open       in   404  404  404  404  404  404
POST m/<str:key>/vote                     running    in   404  404  404  done done 404
POST m/<str:key>/vote                     unwatched  in   404  404  404  done done 404
POST m/<str:key>/vote                     finished   in   404  404  404  409  409  404
POST m/<str:key>/vote                     aborted    in   404  404  404  409  409  404
POST m/<str:key>/orders                   open       in   404  404  404  404  404  404
POST m/<str:key>/orders                   running    in   404  404  404  done done 404
POST m/<str:key>/orders                   unwatched  in   404  404  404  done done 404
POST m/<str:key>/orders                   finished   in   404  404  404  409  409  404
POST m/<str:key>/orders                   aborted    in   404  404  404  409  409  404
POST m/<str:key>/chat                     open       in   404  404  404  done done 404
POST m/<str:key>/chat                     running    in   404  done done done done done
POST m/<str:key>/chat                     unwatched  in   404  404  404  done done 404
POST m/<str:key>/chat                     finished   in   404  done done done done done
POST m/<str:key>/chat                     aborted    in   404  done done done done done
POST m/<str:key>/mute                     open       in   404  404  404  done done 404
POST m/<str:key>/mute                     running    in   404  404  404  done done 404
POST m/<str:key>/mute                     unwatched  in   404  404  404  done done 404
POST m/<str:key>/mute                     finished   in   404  404  404  done done 404
POST m/<str:key>/mute                     aborted    in   404  404  404  done done 404
GET  m/<str:key>/<int:ply>                open       404  404  404  404  404  404  404
GET  m/<str:key>/<int:ply>                running    200  200  200  200  200  200  200
GET  m/<str:key>/<int:ply>                unwatched  404  404  404  404  200  200  404
GET  m/<str:key>/<int:ply>                finished   200  200  200  200  200  200  200
GET  m/<str:key>/<int:ply>                aborted    404  404  404  404  404  404  404
GET  m/<str:key>/decisions                open       404  404  404  404  404  404  404
GET  m/<str:key>/decisions                running    404  404  404  404  404  404  404
GET  m/<str:key>/decisions                unwatched  404  404  404  404  404  404  404
GET  m/<str:key>/decisions                finished   200  200  200  200  200  200  200
GET  m/<str:key>/decisions                aborted    200  200  200  200  200  200  200
POST m/<str:key>/decisions/ask            open       404  404  404  404  404  404  404
POST m/<str:key>/decisions/ask            running    404  404  404  404  404  404  404
POST m/<str:key>/decisions/ask            unwatched  404  404  404  404  404  404  404
POST m/<str:key>/decisions/ask            finished   up   up   done done done done done
POST m/<str:key>/decisions/ask            aborted    up   up   409  409  409  409  409
POST m/<str:key>/on                       open       404  404  404  404  404  404  404
POST m/<str:key>/on                       running    404  404  404  404  404  404  404
POST m/<str:key>/on                       unwatched  404  404  404  404  404  404  404
POST m/<str:key>/on                       finished   done back done done done done done
POST m/<str:key>/on                       aborted    done back done done done done done
GET  m/<str:key>/result.png               open       404  404  404  404  404  404  404
GET  m/<str:key>/result.png               running    404  404  404  404  404  404  404
GET  m/<str:key>/result.png               unwatched  404  404  404  404  404  404  404
GET  m/<str:key>/result.png               finished   200  200  200  200  200  200  200
GET  m/<str:key>/result.png               aborted    404  404  404  404  404  404  404
GET  m/<str:key>/record.json              open       404  404  404  404  404  404  404
GET  m/<str:key>/record.json              running    404  404  404  404  404  404  404
GET  m/<str:key>/record.json              unwatched  404  404  404  404  404  404  404
GET  m/<str:key>/record.json              finished   200  200  200  200  200  200  200
GET  m/<str:key>/record.json              aborted    200  200  200  200  200  200  200
GET  m/<str:key>/proof.json               open       404  404  404  404  404  404  404
GET  m/<str:key>/proof.json               running    404  404  404  404  404  404  404
GET  m/<str:key>/proof.json               unwatched  404  404  404  404  404  404  404
GET  m/<str:key>/proof.json               finished   200  200  200  200  200  200  200
GET  m/<str:key>/proof.json               aborted    200  200  200  200  200  200  200
GET  m/<str:key>/record.txt               open       404  404  404  404  404  404  404
GET  m/<str:key>/record.txt               running    404  404  404  404  404  404  404
GET  m/<str:key>/record.txt               unwatched  404  404  404  404  404  404  404
GET  m/<str:key>/record.txt               finished   200  200  200  200  200  200  200
GET  m/<str:key>/record.txt               aborted    200  200  200  200  200  200  200
"""

# For a steward who may look at people, reports, matches and chat, settle, ban, and take lines of the chat away. All
# others are sent to sign in. Both ways of asking, GET/POST.

ADMIN = """
                       list       add        history    delete     change
auth/group             403/403    403/403    back/back  403/403    403/403
accounts/user          200/200    403/403    200/200    403/403    200/200
accounts/report        200/200    403/403    200/200    403/403    200/back
accounts/club          403/403    403/403    403/403    403/403    403/403
accounts/browser       403/403    403/403    back/back   403/403    403/403
games/match            200/200    403/403    200/200    403/403    200/403
games/chatline         200/200    403/403    200/200    200/200    200/403
games/watcherline      200/200    403/403    200/200    200/200    200/403
games/post             200/200    403/403    200/200    200/200    200/403
"""
ADMIN_PAGES = """
(index)                                        200/200
login/                                         back/200
logout/                                        405/200
password_change/                               back/back
password_change/done/                          200/405
autocomplete/                                  403/405
jsi18n/                                        200/405
^(?P<app_label>auth|accounts|games)/$          200/200
(?P<url>.*)$                                   404/404
"""


@pytest.fixture
def site(site):
    site.rows = world.rows()
    site.fields = {}
    return site


def ask(site, role, method, route, kind=""):
    """The answer in a word."""
    match = site.matches.get(kind)
    client, address = world.client_of(site, role), world.address_of(site, route, match)
    if method == "POST" and (route, kind) not in site.fields:
        site.fields[route, kind] = world.fields_of(site, route, match)
    with undone():
        with world.writing() as tables:
            answer = client.post(address, site.fields[route, kind]) if method == "POST" else client.get(address)
        changed = bool(world.changed_in(site, tables))
    return word(answer, changed)


def word(answer, changed) -> str:
    if answer.status_code not in (301, 302):
        return f"{answer.status_code}{'+' if changed else ''}"
    for lead, beginning in {"in": "/sign-in", "up": "/sign-up", "login": "/admin/login/?next="}.items():
        if answer["Location"].startswith(beginning):
            return f"{lead}{'+' if changed else ''}"
    return "done" if changed else "back"


def read(table) -> dict[tuple[str, str, str], list[str]]:
    """The rows of a table by method, address and kind of match."""
    rows = {}
    for line in table.splitlines():
        if line.startswith(("GET", "POST")):
            method, route, *cells = line.split()
            kind = cells.pop(0) if len(cells) > len(world.ROLES) else ""
            rows[method, "" if route == "(home)" else route, kind] = cells
    return rows


@pytest.mark.once
def test_every_address_stands_in_a_table():
    known = {route for _, route, _ in read(PAGES + TABLES)} | set(admin_table())
    assert known == set(world.patterns())


@pytest.mark.twice
@pytest.mark.parametrize("table", [PAGES, TABLES], ids=["pages", "tables"])
def test_everybody_gets_what_the_table_says(site, table):
    # Of PostgreSQL the one asks who may do most: no database decides who may.
    roles = world.ROLES if connection.vendor == "sqlite" else ("host",)
    wrong = []
    for (method, route, kind), cells in read(table).items():
        found = [ask(site, role, method, route, kind) for role in roles]
        if found != [cells[world.ROLES.index(role)] for role in roles]:
            wrong.append(f"{method:4} {route:36} {kind:9}  " + " ".join(f"{cell:4}" for cell in found))
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.once
def test_what_stands_in_no_table_is_not_allowed(site):
    rows = read(PAGES + TABLES)
    for route in {route for _, route, _ in rows}:
        for method in {"GET", "POST"} - {method for method, at, _ in rows if at == route}:
            for role in ("anonymous", "host"):
                assert ask(site, role, method, route, "running") == "405", (method, route)


@pytest.mark.once
def test_only_what_is_safe_can_be_asked_in_other_ways(site):
    for route in {route for _, route, _ in read(PAGES + TABLES)}:
        address = world.address_of(site, route, site.matches["running"])
        for method in ("put", "patch", "delete", "trace"):
            assert getattr(world.client_of(site, "host"), method)(address).status_code == 405, (method, address)


def admin_table() -> dict[str, tuple[str, str]]:
    """What a steward gets from each page of the admin, by GET and by POST."""
    rows = {}
    for line in ADMIN.splitlines()[2:]:
        model, *cells = line.split()
        for page, cell in zip(["", "add/", "history/", "delete/", "change/"], cells, strict=True):
            one = "" if page in ("", "add/") else "<path:object_id>/"
            rows[f"admin/{model}/{one}{page}"] = tuple(cell.split("/"))
        rows[f"admin/{model}/<path:object_id>/"] = ("back", "back")
    for line in ADMIN_PAGES.splitlines()[1:]:
        page, cell = line.split()
        rows[f"admin/{page}".replace("(index)", "")] = tuple(cell.split("/"))
    return rows


@pytest.mark.once
def test_the_admin_is_for_stewards_alone(site):
    wrong = []
    for route, cells in admin_table().items():
        for method, cell in zip(("GET", "POST"), cells, strict=True):
            found = ask(site, "steward", method, route)
            if found != cell:
                wrong.append(f"{method} {route} for a steward: {found}")
        for role in ("anonymous", "host"):
            for method in ("GET", "POST"):
                found = ask(site, role, method, route)
                if found not in ("login", "in", "405") and route not in ("admin/login/", "admin/logout/"):
                    wrong.append(f"{method} {route} for {role}: {found}")
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.once
def test_every_form_from_elsewhere_is_refused(site):
    for method, route, kind in read(PAGES + TABLES):
        # Mail programs post to the link by which mails end. It is signed.
        if method == "POST" and not route.startswith(("unsubscribe/", "uninvited/")):
            match = site.matches.get(kind)
            client = world.client_of(site, "player", careful=True)
            answer = client.post(world.address_of(site, route, match), world.fields_of(site, route, match))
            assert answer.status_code == 403, route
    assert world.rows() == site.rows


@pytest.mark.once
def test_whoever_signs_in_on_the_way_comes_to_a_page(site):
    tried, rows = set(), read(PAGES + TABLES)
    for (method, route, kind), cells in rows.items():
        shown = rows.get(("GET", route, kind))
        hidden = shown is not None and shown[world.ROLES.index("host")] == "404"
        if cells[0] in ("in", "up") and (method, route, hidden) not in tried:
            tried.add((method, route, hidden))
            address = world.address_of(site, route, site.matches.get(kind))
            answer = getattr(world.browser(), method.lower())(address)
            if "next=" in answer["Location"]:
                found = world.client_of(site, "host").get(answer["Location"], follow=True).status_code
                assert found == 200 or (hidden and found == 404), route


# What may not be known


def secrets_of(match) -> list[str]:
    """What nobody may see of a running match, however it is written."""
    match = Match.objects.get(pk=match.pk)
    hidden = [bytes(match.secret), *(bytes(seat.share) for seat in match.seats.all())]
    return [text for each in hidden if any(each) for text in (each.hex(), repr(each))]


@pytest.mark.once
@pytest.mark.parametrize("kind", ["running", "unwatched"])
def test_of_a_running_match_there_is_no_record_and_no_review_with_open_cards(site, kind):
    match = site.matches[kind]
    for role in world.ROLES:
        client = world.client_of(site, role)
        for address in ("record.json", "record.txt", "3?as=all", "3?as=0&as=all", f"{match.ply + 1}", "0?as=2"):
            assert client.get(f"/m/{match.key}/{address}").status_code == 404, (role, address)
        for viewpoint, whose in {"0": "host", "1": "player"}.items():
            status = client.get(f"/m/{match.key}/3?as={viewpoint}").status_code
            assert status == (200 if role == whose else 404), (role, viewpoint)
    for name in ("host", "player"):
        lines, _ = some_lines(site.people[name], AnonymousUser(), "")
        assert match.key not in lines and site.matches["finished"].key in lines


@pytest.mark.once
def test_no_page_of_the_admin_shows_a_secret_or_the_log_of_a_running_match(site):
    match = site.matches["running"]
    user = site.people["steward"]
    user.is_superuser = True
    user.save()
    client = world.client_of(site, "steward")
    for route in admin_table():
        answer = client.get(world.address_of(site, route), follow=True)
        html = answer.content.decode()
        assert not [secret for secret in secrets_of(match) if secret in html], route
        assert "wake_at" not in html, route
    html = client.get(f"/admin/games/match/{match.pk}/change/").content.decode()
    assert match.commitment in html
    assert "Shown when the match is finished." in html
    assert "<pre>" not in html
    assert "<pre>" in client.get(f"/admin/games/match/{site.matches['finished'].pk}/change/").content.decode()


@pytest.mark.once
def test_what_an_outsider_reads_of_a_running_match_names_no_secret_no_order_and_no_word_of_the_chat(site):
    match = site.matches["running"]
    pages = [f"/m/{match.key}", f"/m/{match.key}/board", f"/m/{match.key}/3", "/play", "/watch", "/", "/play/news"]
    for role in ("anonymous", "guest", "outsider", "elsewhere", "steward"):
        for page in pages:
            html = world.client_of(site, role).get(page).content.decode()
            assert not [secret for secret in secrets_of(match) if secret in html], (role, page)
            assert "a word among players" not in html, (role, page)
            if page.startswith("/m/"):
                assert "data-me=" not in html or page.endswith("/3"), (role, page)
                assert "data-answer" not in html, (role, page)


@pytest.mark.once
def test_an_order_of_another_changes_no_byte_of_what_one_gets(site):
    match = site.matches["running"]
    clients = {role: world.client_of(site, role) for role in ("anonymous", "outsider", "player", "steward")}
    pages = [f"/m/{match.key}/board", f"/m/{match.key}", f"/m/{match.key}/3"]

    def seen():
        return {(role, page): timeless(client.get(page).content) for role, client in clients.items() for page in pages}

    before = seen()
    world.client_of(site, "host").post(f"/m/{match.key}/orders", {"order": "gold"})
    assert world.rows() != site.rows
    assert seen() == before


def timeless(html: bytes) -> bytes:
    """A page without the time of day and the token of its forms."""
    return re.sub(rb'data-remaining="\d+"|name="csrfmiddlewaretoken" value="\w+"', b"", html)
