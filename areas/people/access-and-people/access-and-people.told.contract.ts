import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const accessAndPeopleTold: TablesTold = {
  delegations: {
    one: ['Stand-in', 'حالة إنابة'],
    many: ['Stand-ins', 'حالات الإنابة'],
    title: ['from_user_id', 'to_user_id'],
  },
  identities: {
    one: ['Linked account of single sign-on', 'حساب دخول موحد مرتبط'],
    many: ['Linked accounts of single sign-on', 'حسابات الدخول الموحد المرتبطة'],
    title: ['user_id'],
  },
  passkeys: {
    one: ['Passkey', 'مفتاح مرور'],
    many: ['Passkeys', 'مفاتيح المرور'],
    title: ['user_id', 'name'],
  },
  rights_reviews: {
    one: ['Review of rights', 'مراجعة صلاحيات'],
    many: ['Reviews of rights', 'مراجعات الصلاحيات'],
  },
  rights_review_rows: {
    one: ['Right in a review', 'صلاحية قيد المراجعة'],
    many: ['Rights in a review', 'صلاحيات قيد المراجعة'],
  },
  role_assignments: {
    one: ['Role of a person', 'دور شخص'],
    many: ['Roles of people', 'أدوار الأشخاص'],
    title: ['user_id', 'role_id'],
  },
  role_permissions: {
    one: ['Right of a role', 'صلاحية دور'],
    many: ['Rights of roles', 'صلاحيات الأدوار'],
  },
  user_permissions: {
    one: ['Right of a single person', 'صلاحية فرد'],
    many: ['Rights of single people', 'صلاحيات أفراد'],
    title: ['user_id', 'permission'],
  },
  access_entries: {
    one: ['Access entry', 'قيد صلاحية'],
    many: ['Access entries', 'قيود الصلاحيات'],
    title: ['user_id', 'permission'],
  },
  saml_mappings: {
    one: ['Attributes of SAML', 'سمات SAML'],
    many: ['Attributes of SAML', 'سمات SAML'],
  },
  scim_directories: {
    one: ['Directory', 'دليل'],
    many: ['Directories', 'الأدلة'],
  },
  scim_groups: {
    one: ['Group of a directory', 'مجموعة في دليل'],
    many: ['Groups of a directory', 'مجموعات الدليل'],
  },
  scim_members: {
    one: ['Member of a directory’s group', 'عضو في مجموعة دليل'],
    many: ['Members of a directory’s group', 'أعضاء مجموعة الدليل'],
  },
  scim_people: {
    one: ['Person of a directory', 'شخص في دليل'],
    many: ['People of a directory', 'أشخاص الدليل'],
  },
  scim_tokens: {
    one: ['Token of a directory', 'رمز دليل'],
    many: ['Tokens of a directory', 'رموز الدليل'],
  },
}
