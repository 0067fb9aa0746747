/** Permissions of this area. Who sees which folder stands beside the folder. Data only. */
export const archive = {
  rights: {
    access_archive: ['Open the archive', 'فتح الأرشيف'],
    edit_archive: ['Add and change in the archive', 'الإضافة والتعديل في الأرشيف'],
    manage_archive: [
      'See and change all of the archive, whoever it is limited to',
      'الاطلاع على الأرشيف كله وتعديله أيًا كان المسموح لهم',
    ],
  },
} as const
