/** Permissions of this area. A lookup has the eight verbs of a plain resource, a request is asked for and decided; a right stands for itself. Data only. */
export const certificates = {
  lookups: {
    signingPosition: ['Signing positions', 'وظائف التوقيع'],
    certificateSetting: ['Types of certificates', 'أنواع الشهادات'],
    paperIssuer: ['Issuers of papers', 'جهات إصدار الوثائق'],
    certificateDate: ['Dates of certificates', 'مواعيد الشهادات'],
  },
  requests: {
    certificate: ['Certificates', 'الشهادات'],
    nameChange: ['Changes of names', 'تغيير الأسماء'],
  },
  rights: {
    ask_certificate_as_staff: [
      'Ask for certificates as a member of staff, and follow the own requests',
      'طلب الشهادات بصفة عامل بالجامعة ومتابعة طلباته',
      'only own',
    ],
    edit_certificate: ['Prepare, issue and hand over certificates', 'إعداد الشهادات وإصدارها وتسليمها'],
    manage_certificate: ['Hear of certificates that wait too long', 'متابعة الشهادات المتأخرة'],
    access_externalPaper: ['See papers from elsewhere', 'عرض وثائق من جهات أخرى'],
    edit_externalPaper: [
      'Register papers from elsewhere, and ask their issuers',
      'تسجيل وثائق من جهات أخرى وسؤال جهات إصدارها',
    ],
    sign_certificate: ['Sign certificates in the own position', 'توقيع الشهادات بحكم الوظيفة'],
  },
} as const
