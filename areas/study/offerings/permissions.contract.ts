/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const offerings = {
  subjects: {
    offering: ['Offerings', 'المقررات المطروحة', 'taught'],
  },
  rights: {
    edit_offering_team: ['Change instructors of an offering', 'تعديل فريق تدريس المقرر', 'taught'],
    edit_offering_slots: ['Change groups and meetings of an offering', 'تعديل مجموعات ومواعيد المقرر', 'taught'],
    link_offerings: ['Link offerings', 'ربط المقررات المطروحة'],
    sync_lms: ['Bring offerings to the learning platform', 'نقل المقررات إلى منصة التعلم'],
    access_my_offerings: ['Open own offerings', 'فتح مقرراتي التدريسية', 'only own'],
  },
} as const
