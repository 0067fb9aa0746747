/** Permissions of this area. A lookup has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const earlyWarning = {
  lookups: {},
} as const
