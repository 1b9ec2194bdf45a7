import { useSearchParams } from 'react-router-dom';
import { PatientList } from './patient-list.tsx';
import { PatientPage } from './patient-page.tsx';

/** The patients of the clinic: a list, or the page of the one whom the address names. */
export function PatientsScreen() {
  const [address, setAddress] = useSearchParams();
  const id = address.get('patient');
  const open = (patientId: string | null) =>
    setAddress((before) => {
      const after = new URLSearchParams(before);
      if (patientId === null) after.delete('patient');
      else after.set('patient', patientId);
      return after;
    });
  return id === null ? <PatientList onOpen={open} /> : <PatientPage key={id} id={id} onBack={() => open(null)} />;
}
