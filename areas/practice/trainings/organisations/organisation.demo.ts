import { demoLookup } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { trainingOrganisation } from './organisation.contract.ts'

const until = (days: number) => ({ agreement_from: addDays(dayOf(), -400), agreement_until: addDays(dayOf(), days) })

export default demoLookup(trainingOrganisation, [
  [
    'DELTA',
    'Delta Software',
    'دلتا للبرمجيات',
    { city: 'Alexandria', contact_name: 'Nadia Selim', email: 'training@delta.example', ...until(500) },
  ],
  [
    'HARBOUR',
    'Harbour Authority',
    'هيئة الميناء',
    { city: 'Alexandria', contact_name: 'Sherif Lotfy', email: 'hr@harbour.example', ...until(900) },
  ],
  [
    'NILEBANK',
    'Nile Bank',
    'بنك النيل',
    { city: 'Cairo', contact_name: 'Hala Fawzy', email: 'students@nilebank.example', ...until(300) },
  ],
  [
    'HOSPITAL',
    'City Hospital',
    'مستشفى المدينة',
    { city: 'Damanhour', contact_name: 'Dr Tarek Amin', email: 'training@cityhospital.example' },
  ],
  ['OLDMILL', 'Old Mill Textiles', 'منسوجات الطاحونة', { city: 'Mahalla', contact_name: 'Omar Said', ...until(-20) }],
])
