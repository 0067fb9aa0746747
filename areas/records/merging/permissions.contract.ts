/** Permissions of this area. Data only. */
export const merging = {
  rights: {
    merge_people: ['Merge two records of one person, and undo it', 'دمج سجلين لشخص واحد والتراجع عن الدمج'],
  },
} as const
