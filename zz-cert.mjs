const origin='http://localhost:4300'
async function as(who){const r=await fetch(origin+'/api/login',{method:'POST',headers:{'content-type':'application/json',origin},body:JSON.stringify({email:`${who}@canopus.example.edu`,password:'Canopus-Lighthouse-27'})});const j=await r.json();const token=j.data?.token
 return async(m,p,b)=>{const r=await fetch(origin+'/api'+p,{method:m,headers:{authorization:'Bearer '+token,'content-type':'application/json',origin},...(b!==undefined&&{body:JSON.stringify(b)})});const t=await r.text();let body;try{body=JSON.parse(t)}catch{body=t.slice(0,80)};return{status:r.status,body}}}
const root=await as('root')
const l=(await root('POST','/certificates',{perPage:100})).body
console.log(l.meta?.count)
for (const row of l.data) { const d=(await root('GET',`/certificates/${row.id}/details`)).body.data; console.log(row.id,row.status,row.type?.code,row.student?.code,d?.changed, d?.chain.map(c=>c.code+':'+(c.signed_at?'x':c.holder?'.':'?')).join(' ')) }
const ap=l.data.find(r=>r.status==='approved'); if(ap) console.log('issue', JSON.stringify((await root('POST',`/certificates/issue/${ap.id}`,{})).body).slice(0,300))
