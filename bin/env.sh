# Sourced by the programs beside it, which have set $self to their own real path.
# Sets home, java and var (a folder we may write to, or nothing).

home=${self%/*/*}

# In a source tree the program is the built one; build what is missing.
if [ -f "$home/nodepool.dist/pom.xml" ]; then
    built=$home/nodepool.dist/target/nodepool
    packed=$built.tar.gz # made last
    if [ ! -f "$packed" ]; then
        echo "nodepool: not built yet, building it now (once)" >&2
        (cd "$home" && mvn -q -Dmaven.test.skip=true package -pl nodepool.dist -am) >&2 || exit 1
    elif [ -n "$(find "$home"/nodepool.*/src/main "$home/bin" "$home/cnf" -name target -prune -o \
        -type f -newer "$packed" -print 2>/dev/null | head -n 1)" ]; then
        echo "nodepool: the sources are newer than what runs here; to build: mvn package -pl nodepool.dist -am" >&2
    fi
    exec "$built/bin/${self##*/}" "$@"
fi

if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
else
    java=$(command -v java) || {
        echo "nodepool: no java found; install Java 17 or newer, or set JAVA_HOME" >&2
        exit 1
    }
fi

var=
for folder in "${NODEPOOL_VAR:-$home/var}" "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/nodepool"; do
    if mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ]; then
        var=$folder
        break
    fi
done

# The JVM uses USR2 for itself, and dies of ours, unless it is given another signal for that.
export _JAVA_SR_SIGNUM=60
# One pool of native memory per core costs more than it gives.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"

# class_path JAR...: the arguments, joined
class_path() {
    joined=
    for jar; do joined=$joined${joined:+:}$jar; done
    printf %s "$joined"
}

# Java 24 and newer complain on every start about what the framework does with Unsafe.
quiet_unsafe() {
    real=$(readlink -f "$java")
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "${real%/bin/java}/release" 2>/dev/null)
    if [ "${version:-0}" -ge 24 ]; then printf %s --sun-misc-unsafe-memory-access=allow; fi
}

# run_assembly NAME JVM-OPTION...: becomes the framework with the bundles of that assembly, through $launch if set
run_assembly() {
    assembly=$1
    shift
    # shellcheck disable=SC2086  # the options are several words
    exec ${launch:-} "$java" -XX:+UseSerialGC -Xms24m -Xmx256m -Xss512k -XX:ReservedCodeCacheSize=64m \
        $(quiet_unsafe) ${NODEPOOL_JAVA_OPTS:-} \
        -Dnodepool.home="$home" ${var:+-Dnodepool.var="$var"} "$@" \
        -cp "$(class_path "$home"/lib/*.jar)" nodepool.dist.Main "$assembly"
}
