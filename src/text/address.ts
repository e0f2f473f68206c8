/** Error messages display addresses, so a configured address must contain no user name. */
export const namesUser = (address: string): boolean =>
  /^[a-z]+:[\\/]*[^/?#\\]*@/i.test(address.replaceAll(/\s/g, ""));

export const NO_USER = "must hold no user name or password: addresses are shown where something fails";
export const NO_ADDRESS = "must be an address such as https://host/path";
