# Sourced by nodepool for `nodepool new-driver`: a driver's project outside of this tree, which builds and passes the contract kit.

new_driver_usage() {
    echo "usage: nodepool new-driver [-h] NAME FOLDER"
}

new_driver_error() {
    new_driver_usage >&2
    echo "nodepool new-driver: error: $1" >&2
    exit 2
}

new_driver() {
    case "${1-}" in
        -h | --help)
            new_driver_usage
            echo
            echo "Makes a project for a driver called NAME in FOLDER, which must not exist or be empty."
            exit 0
            ;;
    esac
    [ $# -eq 2 ] || new_driver_error "the following arguments are required: NAME, FOLDER"
    name=$1
    folder=$2
    case $name in
        [a-z]*) ;;
        *) new_driver_error "NAME must begin with a lower case letter: $name" ;;
    esac
    case $name in
        *[!a-z0-9]*) new_driver_error "NAME may hold lower case letters and digits only: $name" ;;
    esac
    [ -d "$home/share/new-driver" ] || new_driver_error "this installation has no template ($home/share/new-driver)"
    if [ -e "$folder" ] && [ -n "$(ls -A "$folder" 2>&1)" ]; then
        new_driver_error "$folder is not empty"
    fi
    class=$(printf %s "$name" | cut -c1 | tr '[:lower:]' '[:upper:]')$(printf %s "$name" | cut -c2-)
    version=$(cat "$home/etc/version")
    sources=$folder/src/main/java/nodepool/driver/$name
    tests=$folder/src/test/java/nodepool/driver/$name
    services=$folder/src/main/resources/META-INF/services
    mkdir -p "$sources" "$tests" "$services" "$folder/src/test/resources"
    for file in pom.xml bnd.bnd readme.md; do new_driver_file "$file" "$folder/$file"; done
    new_driver_file nodepool.yaml "$folder/src/test/resources/nodepool.yaml"
    new_driver_file main/package-info.java "$sources/package-info.java"
    for file in Driver Api Adapter; do new_driver_file "main/Name$file.java" "$sources/$class$file.java"; done
    for file in Cloud ContractTest; do new_driver_file "test/Name$file.java" "$tests/$class$file.java"; done
    echo "nodepool.driver.$name.${class}Driver" >"$services/nodepool.api.driver.Driver"
    echo "$folder: a driver called $name. To build it and run the contract kit on it: mvn verify"
    exit 0
}

# new_driver_file TEMPLATE FILE
new_driver_file() {
    sed -e "s|@name@|$name|g" -e "s|@Name@|$class|g" -e "s|@home@|$home|g" -e "s|@version@|$version|g" \
        "$home/share/new-driver/$1" >"$2"
}
