#!/usr/bin/env bash
# The implicit grant and the customer register with only bash and curl: signs in through the consent form,
# then registers, reads, moves and deletes a customer. Stops at the first unexpected response and explains it.
set -euo pipefail

ISSUER=${ISSUER:-http://localhost:3000}
CUSTOMER_URL=${CUSTOMER_URL:-http://localhost:3001}
CLIENT_ID=${CLIENT_ID:-desk}
CALLBACK=${CALLBACK:-http://localhost:3002/callback}
FRONTDESK_USER=${FRONTDESK_USER:-demo}
FRONTDESK_PASSWORD=${FRONTDESK_PASSWORD:-demo}
CUSTOMER_ID=${CUSTOMER_ID:-1}

customers=$CUSTOMER_URL/rest/qa/customer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail () { printf 'Failed: %s\n' "$1" >&2; exit 1; }
step () { printf 'ok  %s\n' "$1"; }

# request <curl arguments>: sets $status; writes the body to $work/body, the header lines to $work/head.
request () {
  status=$(curl --silent --show-error --max-time 30 --cookie "$work/jar" --cookie-jar "$work/jar" \
    --dump-header "$work/head" --output "$work/body" --write-out '%{http_code}' "$@") ||
    fail "no response; are the services running at $ISSUER and $CUSTOMER_URL?"
}
expect () { [ "$status" = "$1" ] || fail "$2 returned $status, not $1.$(reason)"; }
# Prints a problem document, but not an HTML page.
reason () { grep -qi '<html' "$work/body" || { printf ' '; head -c 600 "$work/body"; }; }
location () { sed -n 's/^[Ll]ocation: *//p' "$work/head" | tr -d '\r'; }
decode () { printf '%b' "${1//%/\\x}"; }
# Prints a parameter of the authorization response, from its fragment.
parameter () { decode "$(printf '%s' "${answer#*#}" | tr '&' '\n' | sed -n "s/^$1=//p")"; }
# The shell's built-in printf passes the token and the password through a pipe, so that `ps` does not show them.
authorized () { request --header @<(printf 'Authorization: Bearer %s\n' "$token") "$@"; }

# 1. Send the authorization request, and get the consent page.
state=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
request --header 'Accept: application/json' --get "$ISSUER/authorize" --data response_type=token --data-urlencode "client_id=$CLIENT_ID" \
  --data-urlencode "redirect_uri=$CALLBACK" --data-urlencode "state=$state" \
  --data-urlencode 'scope=customer:read customer:write customer:delete'
expect 302 'GET /authorize'
consent=$(location)
case $consent in "$ISSUER/consent?"*) ;; *) fail "/authorize does not redirect to the consent page but to: ${consent%%#*}" ;; esac
step 'GET /authorize redirects to the consent page'

request "$consent"
expect 200 'GET /consent'
transaction=$(tr '\n' ' ' < "$work/body" | grep -o '<input[^>]*name="transaction"[^>]*>' | sed 's/.*value="\([^"]*\)".*/\1/') ||
  fail 'the consent page has no field "transaction".'
step 'GET /consent shows the form'

# 2. Allow access. The response redirects to the callback, with the token in the fragment.
request "$consent" --data-urlencode transaction@<(printf '%s' "$transaction") --data decision=allow \
  --data-urlencode "username=$FRONTDESK_USER" --data-urlencode password@<(printf '%s' "$FRONTDESK_PASSWORD")
[ "$status" = 303 ] || fail "POST /consent returned $status, not 303. Check FRONTDESK_USER and FRONTDESK_PASSWORD."
answer=$(location)
case $answer in "$CALLBACK#"*) ;; *) fail "the response does not redirect to $CALLBACK." ;; esac
[ "$(parameter state)" = "$state" ] || fail "the response's state differs from the request's."
[ "$(parameter iss)" = "$ISSUER" ] || fail "the response is not from $ISSUER."
token=$(parameter access_token)
[ -n "$token" ] || fail "no token was granted: $(parameter error) $(parameter error_description)"
step "POST /consent grants a token for $(parameter expires_in) seconds: $(parameter scope)"

# 3. Register, read, move and delete a customer.
authorized "$customers" --data-urlencode "customerid=$CUSTOMER_ID" \
  --data customername=charitha --data customerage=33 --data customeraddress=piliyandala
[ "$status" != 409 ] ||
  fail "customer $CUSTOMER_ID already exists. Choose another number: CUSTOMER_ID=4711 $0"
expect 201 'POST'
step "POST registers customer $CUSTOMER_ID, charitha, 33, piliyandala"

authorized "$customers/$CUSTOMER_ID"
expect 200 'GET'
[ "$(cat "$work/body"; printf .)" = charitha. ] || fail "the name is not exactly charitha: $(cat "$work/body")"
step 'GET reads the name, charitha'

# The name selects the customer; the number distinguishes customers with the same name.
authorized --request PUT "$customers" --data customername=charitha --data customeraddress=colombo --data-urlencode "customerid=$CUSTOMER_ID"
expect 204 'PUT'
step 'PUT moves charitha to colombo'

authorized --header 'Accept: application/json' "$customers/$CUSTOMER_ID"
expect 200 'GET of the record'
grep -q '"customeraddress": *"colombo"' "$work/body" || fail "the address is not colombo: $(cat "$work/body")"
step "GET reads the record, $(cat "$work/body")"

authorized --request DELETE "$customers/$CUSTOMER_ID"
expect 204 'DELETE'
step "DELETE removes customer $CUSTOMER_ID"

authorized "$customers/$CUSTOMER_ID"
expect 404 'GET after DELETE'
step 'GET returns 404'
