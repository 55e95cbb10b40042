#!/usr/bin/env bash
# How long until the cases of a worker go on elsewhere, when its machine is cut off without
# closing its connections. The worker is in a network namespace, whose packets are dropped; the
# database, the target and another worker stay. Needs root, ip, iptables and PostgreSQL.
# bench/lost/run.sh [ROUNDS [pooler]]; pooler puts PgBouncer before the database. Exits with 1 if a
# round takes more than 30 s.
set -euo pipefail
cd "$(dirname "$0")/../.."
rounds=${1:-3} pooler=${2:-}
CACHE=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/assay-ci}
mkdir -p "$CACHE/bin"
assay=$CACHE/bin/assay
go build -o "$assay" ./cmd/assay
pg=$(dirname "$(compgen -G '/usr/lib/postgresql/*/bin/initdb' | sort | tail -n 1)")

ns=assay-lost-$$ near=al$$h far=al$$n
net=10.213.77
work=$(mktemp -d)
pids=()
end() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  ip netns del "$ns" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT

ip netns add "$ns"
ip link add "$near" type veth peer name "$far"
ip link set "$far" netns "$ns"
ip addr add $net.1/24 dev "$near"
ip link set "$near" up
ip netns exec "$ns" ip addr add $net.2/24 dev "$far"
ip netns exec "$ns" ip link set "$far" up
ip netns exec "$ns" ip link set lo up

chown postgres "$work"
as() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
as "$pg/initdb" --no-sync --auth=trust --username=postgres --pgdata="$work/data" >/dev/null
echo "host all all $net.0/24 trust" >>"$work/data/pg_hba.conf"
port=$((20000 + $$ % 10000))
as "$pg/postgres" -D "$work/data" -p $port -c listen_addresses=$net.1 -c unix_socket_directories= >"$work/postgres.log" 2>&1 &
pids+=($!)
until "$pg/pg_isready" -q -h $net.1 -p $port; do sleep 0.1; done
db=postgres://postgres@$net.1:$port/postgres?sslmode=disable
if [ "$pooler" = pooler ]; then
  cat >"$work/pgbouncer.ini" <<INI
[databases]
* = host=$net.1 port=$port user=postgres
[pgbouncer]
listen_addr = $net.1
listen_port = $((port + 2))
unix_socket_dir =
auth_type = any
auth_file = $work/users
pool_mode = session
default_pool_size = 90
tcp_keepidle = 5
tcp_keepintvl = 2
tcp_keepcnt = 3
INI
  echo '"postgres" ""' >"$work/users"
  as pgbouncer "$work/pgbouncer.ini" >"$work/pgbouncer.log" 2>&1 &
  pids+=($!)
  until grep -q "process up" "$work/pgbouncer.log"; do sleep 0.1; done
  db=postgres://postgres@$net.1:$((port + 2))/postgres?sslmode=disable
fi
sql() { "$pg/psql" -h $net.1 -p $port -U postgres -Atqc "$1"; }

cat >"$work/target.py" <<'PY'
import http.server, sys, time
class Target(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(0.5)
        body = b'{"answer": "It is green.", "contexts": []}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args): pass
http.server.ThreadingHTTPServer((sys.argv[1], int(sys.argv[2])), Target).serve_forever()
PY
python3 "$work/target.py" $net.1 $((port + 1)) 2>"$work/target.log" &
pids+=($!)
for i in $(seq 160); do
  echo "{\"id\": \"q$i\", \"question\": \"Which colour has door $i?\", \"ground_truth\": \"Door $i is green.\"}"
done >"$work/gold.jsonl"
cd "$work"
export HOME=$work

now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN {printf "%.1f", b - a}'; }
presence() { sql "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND application_name = 'assay $lost'"; }

touch far.txt run.txt
"$assay" serve worker --store "$db" --cache off 2>near.txt &
pids+=($!)
worst=0
for round in $(seq "$rounds"); do
  ip netns exec "$ns" "$assay" serve worker --store "$db" --cache off 2>far.txt &
  lost=$!
  pids+=($lost)
  until grep -q "takes cases" far.txt; do sleep 0.1; done
  "$assay" run --store "$db" --workers queue --adapter http --endpoint "http://$net.1:$((port + 1))" --dataset gold.jsonl --metrics token_f1 \
    --concurrency 2 --formats json --output "round$round" --set cache=off >run.txt 2>&1 &
  run=$!
  pids+=($run)
  until grep -q "evaluated here" far.txt; do sleep 0.1; done
  sleep 1 # it is in the middle of a batch
  ip netns exec "$ns" iptables -I INPUT -j DROP
  ip netns exec "$ns" iptables -I OUTPUT -j DROP
  cut=$(now)
  until [ "$(presence)" = 0 ]; do sleep 0.1; done
  dropped=$(since "$cut")
  until grep -q "has ended: others go on" run.txt; do sleep 0.1; done
  told=$(since "$cut")
  echo "round $round: the server dropped the claim after $dropped s, others went on after $told s"
  wait $run
  kill -KILL $lost
  wait $lost 2>/dev/null || true
  ip netns exec "$ns" iptables -F
  worst=$(awk -v a="$worst" -v b="$told" 'BEGIN {print (b > a) ? b : a}')
done
awk -v w="$worst" 'BEGIN {print "longest: " w " s"; exit w > 30}'
