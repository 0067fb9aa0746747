/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const specializations = {
  subjects: {
    specialization: ['Specialisations', 'التخصصات'],
    specializationTime: ['Specialisation windows', 'فترات التشعيب'],
  },
  rights: {
    access_student_specialization: ['See how a student was specialised', 'عرض تشعيب طالب', 'advised'],
    edit_specialization_preferences: ['Enter the wishes of a student', 'إدخال رغبات طالب', 'advised'],
    bulk_specialize: ['Put students into a program by hand', 'إلحاق طلاب ببرنامج يدويًا'],
    distribute_specialization: ['Distribute students over programs', 'توزيع الطلاب على البرامج'],
    confirm_specialization: ['Confirm a distribution and take it back', 'اعتماد التوزيع والرجوع عنه'],
  },
} as const
