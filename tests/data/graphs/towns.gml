graph [
  node [ id 0 label "Ostheim"  hosts 40 Latitude 51.30 Longitude 10.20 ]
  node [ id 1 label "Altfeld"  hosts 12 Latitude 51.10 Longitude 10.90 ]
  node [ id 2 label "Neustadt" hosts 4 Latitude 50.70 Longitude 11.10 ]
  edge [ source 0 target 1 rate "1 Gbps" ]
  edge [ source 1 target 2 rate "1 Gbps" ]
]
