from django.shortcuts import redirect


def sign_in(request):
    return redirect("/")


sign_up = sign_out = guest = account = sign_in
