// Addresses of Workers, which the page's policy allows one by one.

/** Makes a policy for one address, and returns the address as the policy trusts it. */
export function trusted(policy: string, url: string): string {
  const made = window.trustedTypes?.createPolicy(policy, {
    createScriptURL: (address) => {
      if (address !== url) throw new TypeError(`${address} is not the address of ${policy}`);
      return address;
    },
  });
  // Only the older types of what takes it know no trusted addresses.
  return (made?.createScriptURL(url) ?? url) as string;
}
