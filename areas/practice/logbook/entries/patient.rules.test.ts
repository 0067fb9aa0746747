import { describe, expect, test } from 'vitest'
import { patientData } from './patient.rules.ts'

const codes = (text: string) => patientData(text).map(({ code }) => code)

describe('what a patient could be known by is told, and what to take out', () => {
  test.each([
    ['Mr Hassan came with chest pain', 'logbook_patient_name'],
    ['Seen Mrs. Fawzia, 45 years', 'logbook_patient_name'],
    ['mr ahmed, appendicitis', 'logbook_patient_name'],
    ['Patient Mohamed, 30y, RTA', 'logbook_patient_name'],
    ['pt: Fatma, G3P2', 'logbook_patient_name'],
    ['Patient name: Rizk', 'logbook_patient_name'],
    ['Ahmed Mahmoud with a Colles fracture', 'logbook_patient_name'],
    ['Frau Schneider, Appendektomie', 'logbook_patient_name'],
    ['Mme Dupont, césarienne', 'logbook_patient_name'],
    ['Sra. Oliveira, parto normal', 'logbook_patient_name'],
    ['السيدة فوزية تعاني من ألم', 'logbook_patient_name'],
    ['الحاج رزق عنده سكر', 'logbook_patient_name'],
    ['المريض محمد، كسر في الساعد', 'logbook_patient_name'],
    ['للمريضة فاطمة قسطرة بولية', 'logbook_patient_name'],
    ['اسم المريض: رزق', 'logbook_patient_name'],
    ['اسمها سعدية وعندها ربو', 'logbook_patient_name'],
    ['أحمد محمود حادث طريق', 'logbook_patient_name'],
    ['الطفل يوسف، التهاب رئوي', 'logbook_patient_name'],
    ['ID 29805121234567', 'logbook_national_id'],
    ['الرقم ٢٩٨٠٥١٢١٢٣٤٥٦٧', 'logbook_national_id'],
    ['2 980512 1234567', 'logbook_national_id'],
    ['civil 289010112345', 'logbook_national_id'],
    ['call 01012345678 for follow up', 'logbook_phone'],
    ['٠١٠١٢٣٤٥٦٧٨', 'logbook_phone'],
    ['+20 101 234 5678', 'logbook_phone'],
    ['010-1234-5678', 'logbook_phone'],
    ['tel 0225551234', 'logbook_phone'],
    ['+49 171 5551234', 'logbook_phone'],
    ['write to rizk@example.com', 'logbook_email'],
    ['rizk (at) example.com', 'logbook_email'],
    ['DOB 12/5/1998', 'logbook_birth'],
    ['born on 3 March 1970', 'logbook_birth'],
    ['born 1970', 'logbook_birth'],
    ['مواليد ١٩٨٠', 'logbook_birth'],
    ['تاريخ الميلاد: ٥/١٢/١٩٩٨', 'logbook_birth'],
    ['geboren am 12.05.1998', 'logbook_birth'],
    ['MRN 44521', 'logbook_file_number'],
    ['file no. 12/4432', 'logbook_file_number'],
    ['Hospital number: A-4432', 'logbook_file_number'],
    ['رقم الملف ٤٤٣٢', 'logbook_file_number'],
    ['ملف رقم: 4432', 'logbook_file_number'],
    ['رقم التذكرة ٨٨', 'logbook_file_number'],
  ])('%s', (text, code) => {
    expect(codes(text)).toContain(code)
  })
  test('several are all told, each once, with what was found', () => {
    const found = patientData('Mr Hassan, MRN 44521, 01012345678, MRN 44521')
    expect(found.map(({ code, data }) => [code, data?.found])).toEqual([
      ['logbook_patient_name', 'Mr Hassan'],
      ['logbook_phone', '01012345678'],
      ['logbook_file_number', 'MRN 44521'],
    ])
  })
  test('marks that are not seen hide nothing', () => {
    expect(codes('010\u200B12345678')).toEqual(['logbook_phone'])
    expect(codes('الحـــاج رزق')).toEqual(['logbook_patient_name'])
  })
})

describe('a note about a case is let through', () => {
  test.each([
    'Inserted a 16 Fr Foley catheter, 400 ml drained, under supervision of Dr Hany',
    'BP 120/80, HR 98, temp 37.2, SpO2 98%, RR 20',
    'Platelets 150000, WBC 12,000, Hb 9.2 on 2026-11-30 at 14:20',
    'Heparin 5000 IU SC, ceftriaxone 1 g IV, benzathine penicillin 1200000 IU',
    'G3P2, 38 weeks, born at 02:40, Apgar 7 and 9',
    'Preterm newborn, born 2 days ago by CS, birth weight 2450 g',
    'Patient controlled analgesia was set up; patient with DM and HTN',
    'MS with MR on echo, EF 55%; MR angiography asked for',
    'Assisted Dr Ahmed Mahmoud in an open cholecystectomy',
    'Assisted Prof. Mohamed Ibrahim',
    'Colles fracture, closed reduction under haematoma block, lignocaine 1% 10 ml',
    'Parkinson disease, Down syndrome, McBurney point, Murphy sign positive',
    'ABG: pH 7.31, pCO2 48, HCO3 21, lactate 2.4; Na 138 K 4.1 Cl 102',
    'Patient was counselled; file reviewed; bed 12; ward 4',
    'ICD J18.9, CTPA on 12/11/2026 negative, ECG 12 lead',
    'Case 12 of my list, third attempt, first pass success',
    'GCS 15, NIHSS 4, CURB-65 2',
    'Vitals 120 80 98 37 98',
    'المريض يعاني من ألم بالبطن منذ ٣ أيام، ضغط ١٢٠/٨٠ ونبض ٩٨',
    'المريضة عمرها ٣٥ سنة، حامل في الأسبوع ٣٨',
    'تم تركيب قسطرة بولية تحت إشراف د. أحمد محمود',
    'حالة حسنة وتحسنت بعد المضاد، كريم موضعي مرتين يوميًا',
    'الطفل يبلغ ٤ سنوات، التهاب رئوي، سيفترياكسون ١ جم',
    'المريض سليم والجرح نظيف، والحالة مستقرة',
    'طفل مولود منذ يومين بوزن ٢٤٥٠ جم، ولد قيصريًا',
    'صفائح ١٥٠٠٠٠ وهيموجلوبين ٩٫٢',
    'خياطة جرح قطعي في الساعد ٤ سم تحت مخدر موضعي',
    'مساعدة في استئصال المرارة مع الأستاذ الدكتور محمد إبراهيم',
    'رجل في الستين، ألم بالصدر، رسم قلب ١٢ مسار',
    'أم مرضعة، التهاب بالثدي',
    'Schulterluxation reponiert, Röntgen ohne Fraktur',
    'Suture d’une plaie de 4 cm, anesthésie locale',
    'Sutura de ferida de 4 cm com anestesia local',
  ])('%s', (text) => {
    expect(patientData(text)).toEqual([])
  })
})
