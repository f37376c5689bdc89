graph [
  node [ id 0 label "Hamburg" Latitude 53.55 Longitude 9.99 ]
  node [ id 1 label "Berlin" Latitude 52.52 Longitude 13.41 ]
  node [ id 2 label "M&#252;nchen" Latitude 48.14 Longitude 11.58 ]
  edge [ source 0 target 1 rate "10 Gbps" dist 290.5 ducts 2 ]
  edge [ source 1 target 2 rate "10 Gbps" dist 590 ducts 1 ]
]
