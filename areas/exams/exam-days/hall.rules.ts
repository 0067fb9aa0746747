/** A hall as people call it: its name, with the code where the name does not say it. */
export const hallName = (name: string, code: string | null | undefined): string =>
  !code || name.includes(code) ? name : `${name} (${code})`
