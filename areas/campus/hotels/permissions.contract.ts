/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const hotels = {
  subjects: {
    hotel: ['Reservations of beds', 'حجوزات الأسرّة'],
    hostel: ['Hostels, rooms and beds', 'مباني السكن والغرف والأسرّة'],
    roomKind: ['Kinds of rooms', 'أنواع الغرف'],
  },
  rights: {
    ask_hotel: ['Ask for a bed, and follow the own request', 'طلب سرير ومتابعة الطلب', 'only own'],
    confirm_hotel: ['Give beds to those who wait', 'تخصيص الأسرّة للمنتظرين'],
    skip_hotel_order: ['Give a bed out of turn', 'تخصيص سرير خارج الترتيب'],
    check_in_hotel: ['Check guests in and out', 'تسكين النزلاء وإخلاؤهم'],
    charge_hotel: ['Charge damage to a room', 'تحصيل تلفيات الغرف'],
  },
} as const
