"""Uses the customer register from a program, with only Python 3: gets an access token with the client credentials
grant, then registers, looks up, searches, changes and removes a customer. Stops at the first error and explains it.

Register a client for it once, on auth-server's database:

    npx --no frontdesk-auth client add my-program --name 'My program' --grant client_credentials --confidential --default-scope 'customer:read customer:write customer:delete'

Run it with the printed secret:

    CLIENT_ID=my-program CLIENT_SECRET=… python3 examples/customers.py

CUSTOMER_ID is the customer's number, which must be free. CUSTOMER_URL is customer-service's address.
"""
import base64
import json
import os
import re
import sys
import time
import uuid
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urljoin, urlsplit
from urllib.request import Request, urlopen

CUSTOMER_URL = os.environ.get("CUSTOMER_URL", "http://localhost:3001")
CUSTOMER_ID = os.environ.get("CUSTOMER_ID", "1")
CLIENT_ID = os.environ.get("CLIENT_ID")
CLIENT_SECRET = os.environ.get("CLIENT_SECRET")
CUSTOMERS = f"{CUSTOMER_URL}/rest/qa/customer"


class Refused(Exception):
    """An error response, in the service's words: a problem (RFC 9457) or an OAuth error (RFC 6749 §5.2)."""

    def __init__(self, answer):
        try:
            said = json.load(answer)
        except ValueError:
            said = {}
        title = said.get("title") or said.get("error") or f"The status is {answer.code}"
        super().__init__(f"{title}. {said.get('detail') or said.get('error_description') or ''}")
        self.status = answer.code


def request(url, method="GET", headers={}, body=None):
    """Sends a request and returns the header fields and the text. Retries after 503, when the service says so."""
    for attempts in (3, 2, 1):
        try:
            with urlopen(Request(url, body, headers, method=method), timeout=30) as answer:
                return answer.headers, answer.read().decode()
        except HTTPError as answer:
            if answer.code != 503 or attempts == 1:
                raise Refused(answer)
            time.sleep(int(answer.headers.get("Retry-After", 0)))


def authorized(url, method="GET", headers={}, body=None):
    return request(url, method, {**headers, "Authorization": f"Bearer {token['access_token']}"}, body)


def discover(url, document):
    """Reads a server's metadata. /.well-known/… goes between its host and its path (RFC 8414 §3.1, RFC 9728 §3.1)."""
    place = urlsplit(url)
    _, text = request(f"{place.scheme}://{place.netloc}/.well-known/{document}{place.path.rstrip('/')}")
    return json.loads(text)


def get_token():
    """Requests a token on this program's own behalf (RFC 6749 §4.4). It expires after expires_in seconds: then request another."""
    if not CLIENT_ID or not CLIENT_SECRET:
        sys.exit("Failed: Set CLIENT_ID and CLIENT_SECRET; the first lines of this file say how to get them.")
    service = discover(CUSTOMER_URL, "oauth-protected-resource")
    issuer = service["authorization_servers"][0]
    server = discover(issuer, "oauth-authorization-server")
    # Otherwise the secret could go to another server (RFC 9728 §3.3, RFC 8414 §3.3).
    if service["resource"] != CUSTOMER_URL:
        sys.exit(f"Failed: The service calls itself {service['resource']}. If that is right, set CUSTOMER_URL to it.")
    if server["issuer"] != issuer:
        sys.exit(f"Failed: The authorization server calls itself {server['issuer']}, not {issuer}.")
    credentials = base64.b64encode(f"{quote(CLIENT_ID, '')}:{quote(CLIENT_SECRET, '')}".encode()).decode()
    form = urlencode({"grant_type": "client_credentials", "resource": CUSTOMER_URL}).encode()
    _, text = request(server["token_endpoint"], "POST", {"Authorization": f"Basic {credentials}"}, form)
    return json.loads(text)


def search(**filters):
    """Yields every matching customer, page by page: Link leads to the next page (RFC 8288)."""
    url = f"{CUSTOMERS}?{urlencode(filters)}"
    while url:
        headers, page = authorized(url)
        yield from json.loads(page)["items"]
        following = re.search('<([^>]*)>; rel="next"', ", ".join(headers.get_all("Link", [])))
        url = following and urljoin(url, following[1])


def change(url, edit):
    """Changes the current version of a customer. If it changed since it was read, reads it again, so that no change is lost."""
    for attempts in (5, 4, 3, 2, 1):
        seen, record = authorized(url, headers={"Accept": "application/json"})
        changes = edit(json.loads(record))
        headers = {"Content-Type": "application/merge-patch+json", "If-Match": seen["ETag"]}
        try:
            authorized(url, "PATCH", headers, json.dumps(changes).encode())
            return changes
        except Refused as refused:
            if refused.status != 412 or attempts == 1:
                raise
            print("It changed in the meantime; reading it again")


try:
    token = get_token()
    print(f"Got a token for {token['expires_in']} seconds: {token['scope']}")

    # With an idempotency key, the request can be repeated if the response is lost: there will still be one customer.
    form = {"customerid": CUSTOMER_ID, "customername": "charitha", "customerage": 33, "customeraddress": "piliyandala"}
    added, _ = authorized(CUSTOMERS, "POST", {"Idempotency-Key": str(uuid.uuid4())}, urlencode(form).encode())
    one = urljoin(CUSTOMERS, added["Location"])
    print(f"Registered customer {CUSTOMER_ID}")

    print(f"Looked it up: {authorized(one)[1]}")

    for customer in search(name_prefix="char", limit=2):
        print(f"Found {customer['customerid']}, {customer['customername']}")

    changes = change(one, lambda customer: {"customerage": customer["customerage"] + 1})
    print(f"Changed it: {changes['customerage']} years old")

    authorized(one, "DELETE")
    print("Removed it")
except Refused as refused:
    sys.exit(f"Failed: {refused}" + (" Set CUSTOMER_ID to another number." if refused.status == 409 else ""))
except OSError as error:
    sys.exit(f"Failed: no response ({getattr(error, 'reason', error)}); are the services running?")
