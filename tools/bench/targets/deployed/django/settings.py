"""Settings of Django that its programs share, from the environment."""
import os
from urllib.parse import urlsplit

import django
from django.conf import settings


def database():
    """SQLite waits for another writer instead of refusing; connections to PostgreSQL stay open."""
    if 'DATABASE_FILE' in os.environ:
        return {'ENGINE': 'django.db.backends.sqlite3', 'NAME': os.environ['DATABASE_FILE'], 'OPTIONS': {'timeout': 20}}
    url = urlsplit(os.environ['DATABASE_URL'])
    return {
        'ENGINE': 'django.db.backends.postgresql', 'NAME': url.path[1:], 'USER': url.username, 'PASSWORD': url.password or '',
        'HOST': url.hostname, 'PORT': url.port, 'CONN_MAX_AGE': None,
    }


def configure(**changes):
    """Sets Django up, as in production: without debugging, and with its log at warnings."""
    settings.configure(
        ALLOWED_HOSTS=['127.0.0.1'], DATABASES={'default': database()}, DEFAULT_AUTO_FIELD='django.db.models.BigAutoField',
        SECRET_KEY=os.environ['SECRET_KEY'], USE_TZ=True, **changes,
    )
    django.setup()
