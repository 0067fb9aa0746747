import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const archiveTold: TablesTold = {
  archive_entries: {
    one: ['Entry of the archive', 'محتوى في الأرشيف'],
    many: ['Entries of the archive', 'محتويات الأرشيف'],
  },
  archive_access: {
    one: ['Access to the archive', 'صلاحية أرشيف'],
    many: ['Access to the archive', 'صلاحيات الأرشيف'],
  },
  archive_pages: {
    one: ['Page of the archive', 'صفحة في الأرشيف'],
    many: ['Pages of the archive', 'صفحات الأرشيف'],
  },
  archive_versions: {
    one: ['Version of a file of the archive', 'إصدار ملف في الأرشيف'],
    many: ['Versions of files of the archive', 'إصدارات ملفات الأرشيف'],
  },
}
