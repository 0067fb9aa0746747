import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const feesTablesTold: TablesTold = {
  fee_versions: {
    one: ['Version of payment settings', 'إصدار إعدادات الرسوم'],
    many: ['Versions of payment settings', 'إصدارات إعدادات الرسوم'],
  },
  nationality_group_countries: {
    one: ['Nationality of a group', 'جنسية في مجموعة'],
    many: ['Nationalities of groups', 'جنسيات المجموعات'],
  },
  scholarship_items: {
    one: ['Item of a scholarship', 'بند منحة'],
    many: ['Items of scholarships', 'بنود المنح'],
  },
  family_members: {
    one: ['Student of a family', 'طالب في أسرة'],
    many: ['Students of families', 'طلاب الأسر'],
  },
  scholarship_grants: {
    one: ['Granted scholarship', 'منحة ممنوحة'],
    many: ['Granted scholarships', 'المنح الممنوحة'],
  },
}
