// Answers for libpcap's D-Bus capture module, which the runtime leaves out (it would need libdbus): no device is its.
struct pcap;
struct pcap_if_list;

extern "C" {
pcap* dbus_create(const char* device, char* error, int* is_ours);
int dbus_findalldevs(pcap_if_list* list, char* error);
}

pcap* dbus_create(const char*, char*, int* is_ours)
{
    *is_ours = 0;
    return nullptr;
}

int dbus_findalldevs(pcap_if_list*, char*) { return 0; }
