#!/usr/bin/env bash
# Tests the containers from outside, through the proxy, and checks every response; stops with a message at the first
# wrong one. Run it in the folder of the clone, after `docker compose up --build --wait`:
#
#   bash deploy/compose/smoke.sh          the whole flow; scales; stops, kills and restarts containers under load
#   bash deploy/compose/smoke.sh again    after `docker compose down` and `up`: checks that the first run's data is still there
set -euo pipefail

trap 'printf "Failed in line %s\n" "$LINENO" >&2' ERR
phase=${1:-${CC_PHASE:-first}}
compose=${COMPOSE:-docker compose}
issuer=http://localhost:${AUTH_PORT:-3000}
customers=http://localhost:${CUSTOMER_PORT:-3001}/rest/qa/customer
desk=http://localhost:${DESK_PORT:-3002}
# Kept for the second run: a person, and a customer whose address is a signing key's id.
person=smoke password='a password of many words' kept=2147483647

work=$(mktemp -d)
trap 'touch "$work/stop"; wait; rm -rf "$work"' EXIT
fail () { printf 'Failed: %s\n' "$1" >&2; exit 1; }
step () { printf '%5ss  %s\n' "$SECONDS" "$1"; }

# request <curl arguments>: sets $status; writes the body to $work/body, the header lines to $work/head.
request () {
  status=$(curl --silent --max-time 20 --cookie "$work/jar" --cookie-jar "$work/jar" --dump-header "$work/head" \
    --output "$work/body" --write-out '%{http_code}' "$@") || fail "no response to: $*"
}
expect () { [ "$status" = "$1" ] || fail "$2 returned $status, not $1: $(head -c 400 "$work/body")"; }
body_has () { grep -q -- "$1" "$work/body" || fail "$2 lacks $1: $(head -c 400 "$work/body")"; }
location () { sed -n 's/^[Ll]ocation: *//p' "$work/head" | tr -d '\r'; }
authorized () { request --header @"$work/authorization" "$@"; }

# sign_in <user> <password> <request id>: writes that person's token to $work/authorization.
sign_in () {
  rm -f "$work/jar"
  request --header "X-Request-Id: $3" --get "$issuer/authorize" --data response_type=token --data client_id=desk \
    --data-urlencode "redirect_uri=$desk/callback" --data-urlencode 'scope=customer:read customer:write customer:delete'
  expect 302 'GET /authorize'
  local consent transaction
  consent=$(location)
  request --header "X-Request-Id: $3" "$consent"
  expect 200 'GET /consent'
  transaction=$(tr '\n' ' ' < "$work/body" | grep -o '<input[^>]*name="transaction"[^>]*>' | sed 's/.*value="\([^"]*\)".*/\1/')
  request --header "X-Request-Id: $3" "$consent" --data-urlencode "transaction=$transaction" --data decision=allow \
    --data-urlencode "username=$1" --data-urlencode "password=$2"
  expect 303 "POST /consent as $1"
  printf 'Authorization: Bearer %s\n' "$(location | sed 's/.*[#&]access_token=\([^&]*\).*/\1/')" > "$work/authorization"
}

# send <method> <from> <to>: sends a request for each customer in the range, 16 at a time; prints each status.
send () {
  for id in $(seq "$2" "$3"); do
    printf 'header = @%s\noutput = /dev/null\nwrite-out = "%%{http_code}\\n"\nmax-time = 20\n' "$work/authorization"
    printf 'header = "X-Request-Id: %s-load"\n' "$1"
    case $1 in
      POST) printf 'url = %s\ndata = "customerid=%s&customername=load&customerage=1&customeraddress=here"\n' "$customers" "$id" ;;
      *) printf 'url = %s/%s\nrequest = %s\n' "$customers" "$id" "$1" ;;
    esac
    [ "$id" = "$3" ] || echo next
  done | curl --parallel --parallel-immediate --parallel-max 16 --config - 2> "$work/meter" || true
}
# count <file>: prints `<n> <status>` for each status, in one line.
count () { sort "$1" | uniq -c | tr -s ' \n' ' '; }
# only <status> <file> <what>: fails unless every line of the file is that status.
only () { [ -s "$2" ] && ! grep -qv "^$1$" "$2" || fail "$3: not only $1 but$(count "$2")"; }

# under_load <method> <what>: sends until `calm`; ids continue from $next, or restart at $first for a GET.
first=1000000 next=$first
under_load () {
  rm -f "$work/stop"; : > "$work/$1"
  while [ ! -e "$work/stop" ]; do
    if [ "$1" = GET ]; then send GET "$first" $((first + 199)); else send POST "$next" $((next + 199)); next=$((next + 200)); fi >> "$work/$1"
    echo "$next" > "$work/next"
  done &
  sleep 1
}
calm () { sleep 1; touch "$work/stop"; wait; next=$(cat "$work/next"); }

# replicas <service> <request id>: prints `<n> <replica>` for each replica that logged requests with that id.
replicas () { $compose logs --no-color "$1" | grep "\"requestId\":\"$2\"" | grep -o "$1-[0-9]* " | sort | uniq -c; }
scale () { $compose up --detach --no-build --no-recreate --wait --scale customer-service="$1" --scale auth-server="$2" > "$work/scale" 2>&1 || fail "scaling: $(tail -3 "$work/scale")"; }
one_of () { $compose ps --quiet "$1" | sed -n "$2p"; }

if [ "$phase" = again ]; then
  sign_in "$person" "$password" again
  authorized --header 'Accept: application/json' "$customers/$kept"
  expect 200 'GET of the kept customer'
  kid=$(sed 's/.*"customeraddress": *"\([^"]*\)".*/\1/' "$work/body")
  request "$issuer/.well-known/jwks.json"
  body_has "\"$kid\"" 'the key set'
  step "after down and up: $person signs in, customer $kept is there, and so is the signing key"
  CUSTOMER_ID=4711 bash examples/curl.sh > "$work/curl" || fail 'examples/curl.sh'
  step 'the whole flow'
  exit
fi

CUSTOMER_ID=4711 ISSUER=$issuer CALLBACK=$desk/callback CUSTOMER_URL=${customers%/rest/*} bash examples/curl.sh > "$work/curl" || fail 'examples/curl.sh'
step 'the whole flow: authorize, consent, sign in, token, register, read, move, remove'

request "$desk/"; expect 200 'the desk'; body_has "\"$issuer\"" 'the desk'
request --get "$issuer/authorize" --data response_type=code --data client_id=desk --data-urlencode 'scope=openid profile' \
  --data code_challenge_method=S256 --data code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM --data-urlencode "redirect_uri=$desk/callback"
expect 302 'GET /authorize for the desk'
request --get "$issuer/end-session" --data client_id=desk --data-urlencode "post_logout_redirect_uri=$desk/"
expect 303 'GET /end-session for the desk'
step 'the desk, its sign-in and its sign-out'

request "${customers%/rest/*}/docs"; expect 200 'the API reference'; body_has 'data-client="demo-docs"' 'the API reference'
request "${customers%/rest/*}/docs/static/swagger-ui-bundle.js"; expect 200 'Swagger UI'
request --get "$issuer/authorize" --data response_type=code --data client_id=demo-docs --data code_challenge_method=S256 --data code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM \
  --data-urlencode "redirect_uri=${customers%/rest/*}/docs/static/oauth2-redirect.html"
expect 302 'GET /authorize for the API reference'
step 'the API reference, and the app that it signs in as'

$compose exec -T auth-server frontdesk-auth client list > "$work/out"
grep -qw desk "$work/out" || fail "frontdesk-auth client list lacks desk: $(cat "$work/out")"
printf '%s\n' "$password" | $compose exec -T auth-server frontdesk-auth user add "$person" > "$work/out" 2>&1 || grep -qi 'already' "$work/out" || fail "$(cat "$work/out")"
step "frontdesk-auth in the container; $person is a person"

sign_in "$person" "$password" smoke
request "$issuer/.well-known/jwks.json"; expect 200 'the key set'
kid=$(grep -o '"kid":"[^"]*"' "$work/body" | head -1 | cut -d'"' -f4)
authorized --request DELETE "$customers/$kept"
authorized "$customers" --data "customerid=$kept&customername=kept&customerage=1" --data-urlencode "customeraddress=$kid"
expect 201 'POST of the customer to keep'
step "customer $kept keeps the name of the signing key"

for service in $($compose config --services); do
  [ "$($compose exec -T "$service" id -u)" != 0 ] || fail "$service runs as root."
  ! $compose exec -T "$service" sh -c 'touch /etc/smoke' 2> "$work/out" || fail "$service can write to its image."
done
proxy=$($compose exec -T auth-server getent hosts proxy | cut -d' ' -f1)
! $compose logs auth-server | grep '"requestId":"smoke"' | grep "\"ip\":\"$proxy\"" > "$work/out" || fail 'auth-server takes the proxy for the caller.'
for pair in auth-server:customer-database customer-service:auth-database desk:auth-database; do
  address=$($compose exec -T "${pair#*:}" hostname -i | cut -d' ' -f1)
  ! $compose exec -T "${pair%:*}" timeout 2 node -e "require('net').connect(5432, '$address').on('connect', () => process.exit(0)).on('error', () => process.exit(1))" ||
    fail "${pair%:*} can reach ${pair#*:}."
done
step 'no container runs as root, nothing can be written, no service reaches the database of another, callers are known'

scale 4 2
send POST $first $((first + 199)) > "$work/out"; only 201 "$work/out" POST
next=$((first + 200))
for _ in 1 2; do send GET $first $((first + 199)); done > "$work/out"; only 200 "$work/out" GET
replicas customer-service GET-load > "$work/out"
[ "$(awk '$1 >= 50' "$work/out" | wc -l)" = 4 ] || fail "400 requests are not spread over 4 replicas: $(cat "$work/out")"
step "400 requests on 4 replicas:$(tr -s ' \n' ' ' < "$work/out")"
for _ in 1 2 3; do sign_in demo demo hop; done
[ "$(replicas auth-server hop | wc -l)" = 2 ] || fail 'one of the two replicas of auth-server saw no sign-in.'
step "3 sign-ins, from replica to replica:$(replicas auth-server hop | tr -s ' \n' ' ')"
for _ in {1..12}; do sign_in demo demo stop; done &
sleep 0.5; docker stop "$(one_of auth-server 1)" > "$work/stopped"
wait $! || fail 'a sign-in failed while a replica of auth-server was stopped.'
step "12 sign-ins while one of the two was stopped:$(replicas auth-server stop | tr -s ' \n' ' ')"

under_load POST
for _ in 1 2 3; do docker stop "$(one_of customer-service 1)" > "$work/out"; sleep 0.5; done
scale 4 2
calm
only 201 "$work/POST" 'registering while replicas were stopped and started'
step "3 of 4 replicas stopped one after the other, and started, under load:$(count "$work/POST")"
send GET $first $((next - 1)) > "$work/out"; only 200 "$work/out" 'reading what was acknowledged'
step "all of them are there:$(count "$work/out")"

under_load GET
docker kill "$(one_of customer-service 1)" > "$work/out"; sleep 1; docker kill "$(one_of customer-service 1)" > "$work/out"
calm
only 200 "$work/GET" 'reading while replicas were killed'
step "2 of 4 replicas killed under load:$(count "$work/GET")"

for database in customer-database auth-database; do
  scale 2 1
  under_load GET
  $compose restart "$database" > "$work/out" 2>&1
  until $compose exec -T "$database" pg_isready -q -h 127.0.0.1; do sleep 0.1; done
  since=${EPOCHREALTIME/[.,]/}
  until request "$issuer/health/ready" && [ "$status" = 200 ] && authorized "$customers/$first" && [ "$status" = 200 ]; do
    [ $((${EPOCHREALTIME/[.,]/} - since)) -le 5000000 ] || fail "not normal 5 s after $database was back: $status"
    sleep 0.1
  done
  took=$(((${EPOCHREALTIME/[.,]/} - since) / 1000))
  calm
  if [ "$database" = auth-database ]; then only 200 "$work/GET" 'reading while the other database restarts'; sign_in "$person" "$password" smoke
  else ! grep -qvE '^(200|503)$' "$work/GET" && grep -q 503 "$work/GET" || fail "answers while $database restarts:$(count "$work/GET")"; fi
  step "$database restarted, normal $took ms later:$(count "$work/GET")"
done

send DELETE $first $((next - 1)) > "$work/out"; only 204 "$work/out" DELETE
! $compose logs --no-color | grep -E 'eyJ[A-Za-z0-9_-]{20}|client_id=' > "$work/leaks" || fail 'a log holds a token or a query.'
step "removed again:$(count "$work/out"); no log holds a token or a query"
