"""django-oauth-toolkit. `oauth_toolkit.py prepare` creates the tables, the user with a session, and two clients."""
import os
import sys

from settings import configure

configure(
    ROOT_URLCONF='oauth_toolkit',
    INSTALLED_APPS=['django.contrib.auth', 'django.contrib.contenttypes', 'django.contrib.sessions', 'oauth2_provider'],
    MIDDLEWARE=[
        'django.middleware.security.SecurityMiddleware', 'django.contrib.sessions.middleware.SessionMiddleware',
        'django.middleware.common.CommonMiddleware', 'django.middleware.csrf.CsrfViewMiddleware',
        'django.contrib.auth.middleware.AuthenticationMiddleware', 'django.middleware.clickjacking.XFrameOptionsMiddleware',
    ],
    OAUTH2_PROVIDER={'SCOPES': {name: name for name in os.environ['SCOPE'].split(' ')}, 'ACCESS_TOKEN_EXPIRE_SECONDS': 600, 'PKCE_REQUIRED': True},
)

from django.core.wsgi import get_wsgi_application
from django.urls import include, path

urlpatterns = [path('o/', include('oauth2_provider.urls', namespace='oauth2_provider'))]


def prepare():
    """Prints the key of the user's session. Each client has one grant type; its consent is skipped, as for an organization's own."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command
    from oauth2_provider.models import get_application_model
    call_command('migrate', verbosity=0)
    user = get_user_model().objects.create_user(os.environ['USERNAME'], password=os.environ['PASSWORD'])
    for suffix, grant in [('', 'authorization-code'), ('-machine', 'client-credentials')]:
        get_application_model().objects.create(
            client_id=os.environ['CLIENT'] + suffix, client_secret=os.environ['SECRET'], client_type='confidential',
            authorization_grant_type=grant, redirect_uris=os.environ['CALLBACK'], skip_authorization=True, name='Service',
        )
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = 'django.contrib.auth.backends.ModelBackend'
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    print(session.session_key)


if sys.argv[1:] == ['prepare']:
    sys.modules['oauth_toolkit'] = sys.modules['__main__']
    prepare()
else:
    application = get_wsgi_application()
