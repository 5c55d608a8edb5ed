# Sourced by nodepool-launcher and nodepool-builder: options, and becoming a daemon.

config=/etc/nodepool/nodepool.yaml
secure=
log_config=
foreground=no
log_level=INFO
deploy_dir=
# -D options for the framework, one per line
properties=

usage() {
    if [ "$assembly" = launcher ]; then
        echo "usage: nodepool-launcher [-h] [-l LOGCONFIG] [--version] [-p PIDFILE] [-d]"
        echo "                         [-f] [-c CONFIG] [-s SECURE] [--no-webapp]"
        echo "                         [--deploy-dir FOLDER] [--deploy-trust FILE] [--no-deploy]"
    else
        echo "usage: nodepool-builder [-h] [-l LOGCONFIG] [--version] [-p PIDFILE] [-d] [-f]"
        echo "                        [-c CONFIG] [-s SECURE]"
        echo "                        [--build-workers BUILD_WORKERS]"
        echo "                        [--upload-workers UPLOAD_WORKERS] [--fake]"
    fi
}

help() {
    usage
    cat <<HELP

$description

options:
  -h, --help            show this help message and exit
  -l LOGCONFIG          path to log config file (default: None)
  --version             show program's version number and exit
  -p PIDFILE            path to pid file (default: $pid_file)
  -d                    do not run as a daemon with debug logging (default: False)
  -f                    do not run as a daemon (default: False)
  -c CONFIG             path to config file (default: $config)
  -s SECURE             path to secure file (default: None)
HELP
    if [ "$assembly" = launcher ]; then
        echo "  --no-webapp           do not start the web interface (default: False)"
        echo "  --deploy-dir FOLDER   install the bundles of this folder, and follow their coming,"
        echo "                        changing and going (default: $home/deploy)"
        echo "  --deploy-trust FILE   of these, only the ones that this file names by SHA-256, or"
        echo "                        that are signed with a key it names (default: all)"
        echo "  --no-deploy           do not watch any folder (default: False)"
    else
        echo "  --build-workers BUILD_WORKERS"
        echo "                        number of build workers (default: 1)"
        echo "  --upload-workers UPLOAD_WORKERS"
        echo "                        number of upload workers (default: 4)"
        echo "  --fake                do not run diskimage-builder (default: False)"
    fi
}

wrong() {
    usage >&2
    echo "$program: error: $1" >&2
    exit 2
}

fail() {
    echo "$program: $1" >&2
    exit 1
}

# define NAME=VALUE: a property of the framework
define() {
    properties="$properties$1
"
}

# absolute PATH: with ~ expanded, from the root
absolute() {
    case $1 in
        "~" | "~/"*) printf %s "${HOME:-}${1#"~"}" ;;
        /*) printf %s "$1" ;;
        *) printf %s "$PWD/$1" ;;
    esac
}

# long_option NAME: the full name of an unambiguous prefix
long_option() {
    if [ "$assembly" = launcher ]; then
        known="help version no-webapp deploy-dir deploy-trust no-deploy"
    else
        known="help version build-workers upload-workers fake"
    fi
    found=
    for candidate in $known; do
        case $candidate in
            "$1") found=$1 && break ;;
            "$1"*) found="$found${found:+ or }$candidate" ;;
        esac
    done
    case $found in
        "") wrong "unrecognized arguments: --$1" ;;
        *" "*) wrong "ambiguous option: --$1 could match $found" ;;
    esac
    printf %s "$found"
}

whole_number() {
    case $2 in
        "" | *[!0-9]*) wrong "argument --$1: invalid int value: '$2'" ;;
    esac
}

while [ $# -gt 0 ]; do
    argument=$1
    shift
    case $argument in
        --?*)
            name=${argument#--}
            name=${name%%=*}
            name=$(long_option "$name") || exit $?
            case $name in
                build-workers | upload-workers | deploy-dir | deploy-trust)
                    case $argument in
                        *=*) value=${argument#*=} ;;
                        *)
                            [ $# -gt 0 ] || wrong "argument --$name: expected one argument"
                            value=$1
                            shift
                            ;;
                    esac
                    case $name in
                        deploy-dir) deploy_dir=$(absolute "$value") ;;
                        deploy-trust) define "nodepool.deploy.trust=$(absolute "$value")" ;;
                        *)
                            whole_number "$name" "$value"
                            define "nodepool.$name=$value"
                            ;;
                    esac
                    ;;
                help)
                    help
                    exit 0
                    ;;
                version)
                    echo "Nodepool version: $(cat "$home/etc/version")"
                    exit 0
                    ;;
                no-webapp) define nodepool.webapp=false ;;
                no-deploy) define nodepool.deploy=off ;;
                fake) define nodepool.fake=true ;;
            esac
            ;;
        -?*)
            # One letter each; the first one with a value takes the rest of the word, or the next word.
            letters=${argument#-}
            while [ -n "$letters" ]; do
                rest=${letters#?}
                letter=${letters%"$rest"}
                letters=$rest
                case $letter in
                    h)
                        help
                        exit 0
                        ;;
                    d) foreground=yes log_level=DEBUG ;;
                    f) foreground=yes ;;
                    c | s | l | p)
                        value=$rest
                        letters=
                        if [ -z "$value" ]; then
                            [ $# -gt 0 ] || wrong "argument -$letter: expected one argument"
                            value=$1
                            shift
                        fi
                        value=$(absolute "$value")
                        case $letter in
                            c) config=$value ;;
                            s) secure=$value ;;
                            l) log_config=$value ;;
                            p) pid_file=$value ;;
                        esac
                        ;;
                    *) wrong "unrecognized arguments: -$letter" ;;
                esac
            done
            ;;
        *) wrong "unrecognized arguments: $argument" ;;
    esac
done

define "nodepool.config=$config"
if [ -n "$deploy_dir" ]; then
    # Not made here: with a mistyped name nobody would find out.
    [ -d "$deploy_dir" ] || fail "argument --deploy-dir: $deploy_dir is not a folder"
    define "nodepool.deploy.dir=$deploy_dir"
fi
if [ -n "$secure" ]; then define "nodepool.secure=$secure"; fi
if [ "$log_level" = DEBUG ]; then define nodepool.debug=true; fi

define "nodepool.log.level=$log_level"
if [ -n "$log_config" ]; then
    [ -r "$log_config" ] || fail "Unable to read logging config file at $log_config"
    case $log_config in
        *.xml) define "logback.configurationFile=$log_config" ;;
        *) fail "$log_config: only Logback's .xml files are read" ;;
    esac
elif [ "$foreground" = yes ]; then
    define "logback.configurationFile=$home/etc/logback.xml"
else
    define "logback.configurationFile=$home/etc/logback-daemon.xml"
    define "nodepool.log.file=$log_file"
fi
# Gogo without a terminal: commands are there for whoever brings a session.
define "gosh.args=--nointeractive"

# Becomes the JVM, with one -D for each property.
start() {
    set --
    while IFS= read -r line; do
        if [ -n "$line" ]; then set -- "$@" "-D$line"; fi
    done <<PROPERTIES
$properties
PROPERTIES
    run_assembly "$assembly" "$@"
}

if [ "$foreground" = yes ]; then
    start
fi

# From here on: the daemon. What can be wrong is found before detaching, so that the caller sees it.

if [ -z "$log_config" ]; then
    (: >>"$log_file") 2>/dev/null || fail "cannot write the log file $log_file"
fi

# A living process keeps its pid file for at most 10 s, a dead one not at all.
patience=10
while [ -f "$pid_file" ] && kill -0 "$(cat "$pid_file")" 2>/dev/null; do
    [ $patience -gt 0 ] || fail "already running as process $(cat "$pid_file") ($pid_file)"
    patience=$((patience - 1))
    sleep 1
done
rm -f "$pid_file" 2>/dev/null || true
(: >"$pid_file") 2>/dev/null || fail "cannot write the pid file $pid_file"

# HOOK: the configuration is checked here; only errors (exit code 1) stop the start.
if [ "${NODEPOOL_CHECK_CONFIG:-yes}" = yes ]; then
    check=0
    "$home/bin/nodepool" -c "$config" ${secure:+-s "$secure"} config-validate >&2 || check=$?
    if [ $check -ne 0 ]; then
        rm -f "$pid_file"
        fail "not started: $config has errors"
    fi
fi

define "nodepool.pidfile=$pid_file"
umask 022
cd /
launch=setsid
start </dev/null >/dev/null 2>&1 &
echo $! >"$pid_file"
