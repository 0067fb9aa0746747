/** Permissions of this area. A lookup has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const courseFiles = {
  subjects: {
    courseFile: ['Course files', 'ملفات المقررات', 'taught'],
  },
  lookups: {
    courseFilePart: ['Parts of course files', 'محتويات ملفات المقررات'],
    offeringReportQuestion: ['Questions of offering reports', 'أسئلة تقارير المقررات'],
  },
  rights: {
    fill_courseFile: ['Fill and hand in a course file', 'استيفاء ملف المقرر وتسليمه', 'taught'],
    accept_courseFile: ['Accept course files, or not', 'قبول ملفات المقررات أو رفضها'],
    approve_courseFile: ['Approve course files, or not', 'اعتماد ملفات المقررات أو رفض اعتمادها'],
  },
} as const
