/** Permissions of this area. A lookup has the eight verbs of a plain resource, a request is asked for and decided; a right stands for itself. Data only. */
export const services = {
  lookups: {
    serviceKind: ['Kinds of services', 'أنواع الخدمات'],
  },
  requests: {
    service: ['Service requests', 'طلبات الخدمات'],
  },
  rights: {
    ask_service_as_staff: [
      'Ask for services as a member of staff, and follow the own requests',
      'طلب الخدمات بصفة عامل بالجامعة ومتابعة طلباته',
      'only own',
    ],
    manage_service: [
      'Act for any office on service requests, and hear of late ones',
      'التصرف نيابة عن أي مكتب في طلبات الخدمات ومتابعة المتأخر منها',
    ],
  },
} as const
