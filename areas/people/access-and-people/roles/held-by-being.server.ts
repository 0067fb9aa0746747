/**
 * SQL: whether the account of a row `u` of `users` holds the role of this key by what it is, without an assignment: students and applicants theirs,
 * whoever may do everything those of root and super admins.
 */
export const heldByBeing = (key: string, u: string): string =>
  `(${key} in ('student', 'applicant', 'super_admin', 'root') and case ${key} when 'student' then ${u}.type = 3 when 'applicant' then ${u}.type = 4
    when 'super_admin' then ${u}.is_super_admin else ${u}.is_root end)`
