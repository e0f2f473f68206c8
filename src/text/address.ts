/** Error messages display addresses, so a configured address must contain no user name. */
export const namesUser = (address: string): boolean =>
  /^[a-z]+:[\\/]*[^/?#\\]*@/i.test(address.replaceAll(/\s/g, ""));

export const NO_USER = "must not contain a user name or password, because error messages display addresses";
export const NO_ADDRESS = "must be an address such as https://host/path";
