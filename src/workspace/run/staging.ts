// Like `git add --all`, with four differences. Files that equal a checkout of the base keep the base's blob (WG1). Ignored
// files that are in the checkout's own index are added too (WG2). Inconvertible files are added as they are. A moved submodule
// stays a submodule (39.B7). `stage BASE` expects an index made from BASE, and writes submodules that vanished without `git rm`
// to `lost`.
export const STAGE = String.raw`stage() {
  aside=$\{GIT_DIR%/git}
  rm -rf "$aside/was" "$GIT_DIR/info/attributes"
  : > "$aside/lost"
  git ls-tree -r -z "$1" | lines > "$aside/before"
  if ! said=$(git add --all . 2>&1 > /dev/null); then
    unconverted
    said=$(git add --all . 2>&1 > /dev/null) || { printf '%s\n' "$said"; exit 1; }
  fi
  named
  unchanged "$1"
}
# One name a line. Names with a line feed are left to git.
lines() { tr '\n\000' '\001\n' | grep -v "$(printf '\001')" || :; }
# Attributes name encodings that do not exist here, or that a file does not have: such a file is taken as it is.
unconverted() {
  git ls-files -z --cached --others | git check-attr -z --stdin working-tree-encoding | lines |
    awk 'NR % 3 == 1 { path = $0 } NR % 3 == 0 && $0 != "unspecified" { print $0 "\t" path }' |
    while IFS= read -r line; do
      path=$\{line#*"$TAB"}
      case $\{line%%"$TAB"*} in
        set | unset) ;;
        *)
          [ -f "$path" ] && [ ! -L "$path" ] || continue
          ! git hash-object -w --stdin --path="$path" < "$path" > /dev/null 2>&1 || continue
          ;;
      esac
      printf '"/%s" !working-tree-encoding\n' "$(printf '%s\n' "$path" | sed -e 's/[][\\*?]/\\&/g' -e 's/[\\"]/\\&/g')"
    done > "$aside/attributes"
  mv "$aside/attributes" "$GIT_DIR/info/attributes"
}
# Names that only the checkout's own index has. It is read by the git of our own, so that no setting of the checkout is in force.
named() {
  [ -f .git/index ] && cp .git/index "$aside/theirs" 2> /dev/null || return 0
  GIT_INDEX_FILE="$aside/theirs" git ls-files -s -z 2> /dev/null | lines | grep ' 0'"$TAB" | sort -t "$TAB" -k 2 > "$aside/entries" || return 0
  cut -f 2- "$aside/entries" | sort > "$aside/names"
  git ls-files -z | lines | sort > "$aside/ours"
  comm -23 "$aside/names" "$aside/ours" > "$aside/only"
  [ -s "$aside/only" ] || return 0
  while IFS= read -r path; do
    if [ -f "$path" ] || [ -L "$path" ]; then printf '%s\000' "$path"; fi
  done < "$aside/only" > "$aside/forced"
  # One by one if one of them stands in the way of all.
  [ ! -s "$aside/forced" ] || git update-index --add -z --stdin < "$aside/forced" 2> /dev/null || {
    [ -f "$GIT_DIR/info/attributes" ] || unconverted
    xargs -0 -n 1 git update-index --add -- < "$aside/forced" 2> /dev/null || :
  }
  { grep '^160000 ' "$aside/entries" || :; } | while IFS= read -r line; do
    path=$\{line#*"$TAB"}
    grep -qxF -e "$path" "$aside/only" || continue
    id=$(printf '%s' "$line" | cut -d ' ' -f 2)
    if [ -d "$path" ] && [ ! -L "$path" ]; then
      git update-index --add --cacheinfo "160000,$id,$path" 2> /dev/null || :
    elif grep -qxF -e "160000 commit $id$TAB$path" "$aside/before"; then
      printf '%s\n' "$path" >> "$aside/lost"
    fi
  done
}
# Files that differ only because git would convert them now: what the base's checkout wrote is written again, and compared.
unchanged() {
  { cat "$aside/before"; git ls-files -z | lines; } | grep -q '\.gitattributes$' || return 0
  git diff-index --cached --no-renames --no-abbrev --diff-filter=M -z "$1" | lines | paste - - | sed -n \
    -e '/^:[0-9]* [0-9]* \([0-9a-f]*\) \1 M/d' \
    -e "s/^:100[0-9]* \(100[0-9]*\) \([0-9a-f]*\) [0-9a-f]* M$TAB/\1 \2$TAB/p" > "$aside/differ"
  [ -s "$aside/differ" ] || return 0
  cut -f 2- "$aside/differ" | tr '\n' '\000' > "$aside/paths"
  rm -f "$aside/base"
  mkdir "$aside/was"
  # The base is checked out by its own attributes. Every other command may read files again that are as new as the index.
  [ ! -f "$GIT_DIR/info/attributes" ] || mv "$GIT_DIR/info/attributes" "$aside/attributes"
  GIT_INDEX_FILE="$aside/base" git read-tree "$1"
  (
    cd "$aside/was"
    GIT_WORK_TREE=$PWD GIT_INDEX_FILE="$aside/base" git checkout-index -f -z --stdin < "$aside/paths" > /dev/null 2>&1 || :
    xargs -0 git hash-object --no-filters -- < "$aside/paths" > "$aside/then"
  ) 2> /dev/null || { restored; return 0; }
  restored
  xargs -0 git hash-object --no-filters -- < "$aside/paths" > "$aside/now" 2> /dev/null || return 0
  [ "$(wc -l < "$aside/then")" -eq "$(wc -l < "$aside/now")" ] || return 0
  paste -d ' ' "$aside/then" "$aside/now" | awk '{ print ($1 == $2) ? "same" : "other" }' | paste - "$aside/differ" |
    sed -n "s/^same$TAB//p" | tr '\n' '\000' | git update-index -z --index-info
  rm -rf "$aside/was"
}
restored() { [ ! -f "$aside/attributes" ] || mv "$aside/attributes" "$GIT_DIR/info/attributes"; }
TAB=$(printf '\t')`.replaceAll("$\\{", "${");
