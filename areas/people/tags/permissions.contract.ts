/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const tags = {
  subjects: {
    tag: ['Tags', 'الوسوم'],
  },
  rights: {
    attach_tag: ['Put tags on students and take them off', 'إضافة الوسوم إلى الطلاب وإزالتها', 'advised'],
  },
} as const
