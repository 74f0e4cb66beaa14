from django.urls import path

from accounts.career import views as profiles
from accounts.notices import unsubscribing
from accounts.notices import views as notices
from accounts.views import calendar, confirm, entry, inbox, look, people, reports, reset, settings

urlpatterns = [
    path("sign-up", entry.sign_up, name="sign_up"),
    path("sign-in", entry.sign_in, name="sign_in"),
    path("sign-out", entry.sign_out, name="sign_out"),
    path("guest", entry.guest, name="guest"),
    path("account", settings.account, name="account"),
    path("account/look", settings.look, name="look"),
    path("account/dates", settings.dates, name="dates"),
    path("account/self", settings.change_self, name="change_self"),
    path("account/theme", look.theme, name="theme"),
    path("account/language", look.language, name="language"),
    path("@/<str:username>", profiles.profile, name="profile"),
    path("@/<str:username>/games", profiles.archive, name="archive"),
    path("@/<str:username>/report", reports.report, name="report"),
    path("@/<str:username>/block", reports.block, name="block"),
    path("@/<str:username>/follow", people.follow, name="follow"),
    path("following", people.followed, name="following"),
    path("messages", inbox.conversations, name="conversations"),
    path("messages/<str:username>", inbox.conversation, name="conversation"),
    path("messages/<str:username>/delete", inbox.delete, name="delete_conversation"),
    path("notices", notices.notices, name="notices"),
    path("notices/<int:number>", notices.follow, name="notice"),
    path("unsubscribe/<str:uid>/<str:topic>/<str:signature>", unsubscribing.unsubscribe, name="unsubscribe"),
    path("uninvited/<str:digest>/<str:signature>", unsubscribing.uninvited, name="uninvited"),
    path("notices/seen", notices.seen, name="notices_seen"),
    path("find", profiles.find, name="find"),
    path("leaders", profiles.leaders, name="leaders"),
    path("leaders/alone", profiles.alone, name="alone_records"),
    path("account/told", settings.told, name="told"),
    path("account/calendar", settings.calendar_address, name="calendar_address"),
    path("calendar/<str:token>.ics", calendar.show, name="calendar"),
    path("account/email", settings.email, name="change_email"),
    path("account/email/again", settings.email_again, name="email_again"),
    path("account/email/forget", settings.email_forget, name="email_forget"),
    path("account/confirm/<str:uid>/<str:token>", confirm.confirm, name="confirm_email"),
    path("account/password", settings.password, name="change_password"),
    path("account/sessions", settings.end_sessions, name="end_sessions"),
    path("account/close", settings.close, name="close_account"),
    path("account/keep", settings.keep, name="keep_account"),
    path("account/forgot", reset.forgot, name="forgot_password"),
    path("account/reset/<str:uid>/<str:token>", reset.reset, name="reset_password"),
]
